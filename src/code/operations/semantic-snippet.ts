import { at } from '../../contract/at.ts';
import { eachTerm } from '../words/terms.ts';

const GAP = '…';

/**
 * What is shown of a place in the code, at most `length` characters, without the indentation its lines share: all of
 * it, or its first line and the lines that hold most of the terms that were asked for.
 */
export function semanticSnippet(
  lines: readonly string[],
  length: number,
  asked: ReadonlySet<string>,
): string {
  const kept = withoutIndent(lines);
  const text = kept.join('\n');
  if (text.length <= length) return text;
  const [first = ''] = kept;
  const window = bestWindow(kept, length - first.length - 2 * (GAP.length + 1) - 1, asked);
  if (window === undefined) return `${[...text.slice(0, 2 * length)].slice(0, length).join('')}${GAP}`;
  const { from, to } = window;
  const end = to < kept.length ? [GAP] : [];
  return [first, ...(from > 1 ? [GAP] : []), ...kept.slice(from, to), ...end].join('\n');
}

function withoutIndent(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const kept = lines.slice(Math.max(0, first)).map((line) => line.trimEnd());
  while (kept.at(-1) === '') kept.pop();
  const indents = kept.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return kept.map((line) => line.slice(shared));
}

/**
 * The run of lines after the first one, of at most `room` characters, with most of the terms; of equal ones the one
 * with more of them in all, then the first. Undefined if there is no term, or if the beginning is as good.
 */
function bestWindow(
  lines: readonly string[],
  room: number,
  asked: ReadonlySet<string>,
): { from: number; to: number } | undefined {
  const found = lines.map((line) => termsIn(line, asked));
  let best: { from: number; to: number; score: number } | undefined;
  for (let from = 1; from < lines.length; from++) {
    // A line of what leads to it makes a match readable.
    if (lines[from] === '' || (found[from]?.size === 0 && found[from + 1]?.size === 0)) continue;
    const seen = new Set<string>();
    let hits = 0;
    let used = 0;
    let to = from;
    for (; to < lines.length; to++) {
      used += at(lines, to).length + 1;
      if (used > room) break;
      for (const term of found[to] ?? []) seen.add(term);
      hits += found[to]?.size ?? 0;
    }
    const score = seen.size + hits / 1000;
    if (seen.size > 0 && score > (best?.score ?? 0)) best = { from, to, score };
  }
  return best;
}

function termsIn(line: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  eachTerm(line, (term) => {
    if (asked.has(term)) found.add(term);
  });
  return found;
}
