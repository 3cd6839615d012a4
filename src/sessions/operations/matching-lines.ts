/** A line of a text with its number, counted from 1. */
export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The lines that match and those around them, after the line number `after`. */
export function* matchingLines(
  text: string,
  matches: (line: string) => boolean,
  context: number,
  after: number,
): Generator<NumberedLine> {
  const lines = text.split('\n');
  let shownTo = after;
  for (const [index, line] of lines.entries()) {
    if (index + 1 + context <= after || !matches(line)) continue;
    shownTo = Math.max(shownTo, index - context);
    for (const around of lines.slice(shownTo, index + context + 1)) yield { line: ++shownTo, text: around };
  }
}
