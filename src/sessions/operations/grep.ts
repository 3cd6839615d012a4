/** A line of an output with its number, counted from 1. */
export interface GrepLine {
  readonly line: number;
  readonly text: string;
}

/** Lines that match, with lines around them, after a given line number. */
export function* grepLines(
  text: string,
  matches: (line: string) => boolean,
  context: number,
  after: number,
): Generator<GrepLine> {
  const lines = text.split('\n');
  let shownTo = after;
  for (const [index, line] of lines.entries()) {
    if (index + 1 + context <= after || !matches(line)) continue;
    const first = Math.max(shownTo, index - context);
    for (let at = first; at <= Math.min(lines.length - 1, index + context); at++) {
      yield { line: at + 1, text: lines[at] ?? '' };
      shownTo = at + 1;
    }
  }
}
