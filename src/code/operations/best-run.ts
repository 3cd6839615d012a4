import { termsInLine } from '../words/terms-in-line.ts';

export interface SnippetSize {
  readonly lines: number;
  readonly characters: number;
}

/** Lines shown without being asked for more. */
export const SNIPPET_LINES = 12;

/** The run of lines with most of the terms; of equal ones the one with more of them in all, then the first. */
export function bestRun(
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
