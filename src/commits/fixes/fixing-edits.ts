import type { Sessions } from '../../sessions/sessions.ts';
import type { FixedFailure, FixingEdit } from '../../sessions/store/fixed-failures.ts';

/** An edit between a failure and its success, and how much it has to do with the error. */
export interface RelatedEdit {
  readonly edit: FixingEdit;
  readonly diff: string | undefined;
  readonly score: number;
}

/** This many edits are looked at, and this many lines of each. */
const MAX_EDITS = 25;
const MAX_LINES = 2_000;
/** The line of an error may be a few lines off: what was edited before moves it. */
const NEAR_LINES = 10;

const AT_PLACE = 4;
const SAME_FILE = 2;
const SAYS_NAME = 2;

/** The edits that made an error go away, those that have most to do with it first; one of each file. */
export async function fixingEdits(
  failure: FixedFailure,
  { failures, files }: Pick<Sessions, 'failures' | 'files'>,
): Promise<readonly RelatedEdit[]> {
  const found: RelatedEdit[] = [];
  for (const edit of await failures.edits(failure, MAX_EDITS)) {
    const diff = await files.changes.diffAt(failure.session, edit.event, edit.path, MAX_LINES);
    found.push({ edit, diff, score: relation(failure.error, edit.repoPath, diff ?? '') });
  }
  found.sort((a, b) => b.score - a.score || b.edit.event - a.edit.event);
  return found.filter(({ edit }, at) => found.findIndex((one) => one.edit.path === edit.path) === at);
}

/** How much an edit of a file has to do with an error. */
export function relation(error: string, path: string, diff: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lines = [...error.matchAll(PLACE)].flatMap(([, file = '', line]) =>
    file === path || file.endsWith(`/${name}`) || file === name ? [Number(line)] : [],
  );
  const inFile = lines.length > 0 || error.includes(path) ? SAME_FILE : 0;
  const atPlace = lines.some((line) => hunksOf(diff).some(({ from, to }) => isNear(line, from, to)));
  const changed = diff
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
  const said = tellingWords(error).some((word) => changed.includes(word));
  return inFile + (atPlace ? AT_PLACE : 0) + (said ? SAYS_NAME : 0);
}

const PLACE = /([\w./@-]+\.\w{1,5})[:(](\d+)/g;
const HUNK = /^@@ -(\d+)(?:,(\d+))? /gm;

function hunksOf(diff: string): readonly { readonly from: number; readonly to: number }[] {
  return [...diff.matchAll(HUNK)].map(([, from, length]) => ({
    from: Number(from),
    to: Number(from) + Number(length ?? 1),
  }));
}

const isNear = (line: number, from: number, to: number) =>
  line >= from - NEAR_LINES && line <= to + NEAR_LINES;

/** What an error is about: quoted texts, the last part of a qualified name, what is undefined, and the rule. */
function tellingWords(error: string): readonly string[] {
  const quoted = [...error.matchAll(/["'`]([^"'`]{3,80})["'`]/g)].map(([, text = '']) => text);
  const rules = [...error.matchAll(/\(([a-z][\w-]{3,})\)/g)].map(([, rule = '']) => `nolint:${rule}`);
  const missing = [...error.matchAll(/\bundefined: ([\w.]+)/g)].map(([, name = '']) => name);
  return [...quoted.map((text) => /[A-Za-z_]\w*$/.exec(text)?.[0] ?? text), ...rules, ...missing];
}
