import type { LineSpan } from '../symbols/file-symbols.ts';
import { termsInLine } from '../words/terms-in-line.ts';
import { withoutSharedIndent } from './shared-indent.ts';

/** Consecutive lines of a file. */
export interface Snippet {
  readonly from: number;
  readonly text: string;
}

export interface SnippetSize {
  readonly lines: number;
  readonly characters: number;
}

/** Lines shown without being asked for more. */
export const SNIPPET_LINES = 12;

/**
 * Whole lines of a place, without the indentation they share: all of them if they fit, otherwise the run of lines with
 * most of the terms that were asked for.
 */
export function semanticSnippet(
  { from, to }: LineSpan,
  lineAt: (line: number) => string,
  size: SnippetSize,
  asked: ReadonlySet<string>,
): Snippet {
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_none, at) =>
    lineAt(from + at).trimEnd(),
  );
  const { first, count } = bestRun(withoutSharedIndent(lines), size, asked);
  const run = withoutSharedIndent(lines.slice(first, first + count));
  const shown = run.length === 1 ? run.map((line) => cutLine(line, size.characters)) : run;
  return { from: from + first, text: shown.join('\n') };
}

/** The run of lines with most of the terms; of equal ones the one with more of them in all, then the first. */
function bestRun(
  lines: readonly string[],
  size: SnippetSize,
  asked: ReadonlySet<string>,
): { readonly first: number; readonly count: number } {
  const found = lines.map((line) => termsInLine(line, asked));
  let best = { first: 0, count: 0, score: -1 };
  for (let first = 0; first < lines.length; first++) {
    if (lines[first] === '') continue;
    const seen = new Set<string>();
    let hits = 0;
    let used = 0;
    let count = 0;
    for (let at = first; at < lines.length && count < size.lines; at++) {
      used += (lines[at]?.length ?? 0) + 1;
      if (used > size.characters && count > 0) break;
      for (const term of found[at] ?? []) seen.add(term);
      hits += found[at]?.size ?? 0;
      count++;
    }
    // A run that begins right at a match lacks what leads to it.
    const lead = first === 0 || found[first]?.size === 0 ? 0.0001 : 0;
    const score = seen.size + hits / 1000 + lead;
    if (score > best.score) best = { first, count, score };
    if (first + count >= lines.length) break;
  }
  while (best.count > 1 && lines[best.first + best.count - 1] === '') best.count--;
  return best;
}

/** The beginning of a line that is too long, by whole characters. */
function cutLine(line: string, length: number): string {
  return line.length <= length ? line : `${[...line.slice(0, 2 * length)].slice(0, length).join('')}…`;
}
