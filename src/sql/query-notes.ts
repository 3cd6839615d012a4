import { countText } from '../contract/format.ts';
import { type Look, MAX_RESULT_ROWS, type QueryResult } from './query-messages.ts';
import type { Token } from './statement.ts';
import { subjectsOf } from './subjects.ts';

const MAX_ROOTS_NAMED = 5;

interface LookedAt {
  readonly reads: Look['reads'];
  readonly tokens: readonly Token[];
  /** The texts in its comparisons. */
  readonly compared: readonly string[];
}

/** Which folders a statement about the disk is about, if it names none and there are several. */
export function rootsNote(looked: readonly LookedAt[], roots: readonly string[]): string[] {
  const namesNone = looked.some(
    ({ reads, compared, tokens }) =>
      subjectsOf(Object.keys(reads)).has('disk') &&
      !compared.some((text) => text.startsWith('/')) &&
      !tokens.some(({ value }) => value.toLowerCase() === 'root'),
  );
  if (!namesNone || roots.length < 2) return [];
  const more = roots.length > MAX_ROOTS_NAMED ? ` and ${roots.length - MAX_ROOTS_NAMED} more` : '';
  return [
    `Where no folder is named: ${roots.toSorted().slice(0, MAX_ROOTS_NAMED).join(', ')}${more} together.`,
  ];
}

/** Paths are absolute, so nothing is found below a relative one. */
export function relativePaths(texts: readonly string[]): string[] {
  const path = texts.find((text) => /^[\w.@-]+\/[\w./@%-]*$/.test(text));
  return path === undefined
    ? []
    : [`Paths are absolute: try path like '%/${path.replace(/%+$/, '')}%', or repo_path of edits.`];
}

export function cutNote({ rows }: QueryResult): string {
  const why = rows.length === MAX_RESULT_ROWS ? '' : ', which have 16 MB';
  return `Only the first ${countText(rows.length)} rows were read${why}. Aggregate, or add conditions.`;
}
