/** A line of a text with its number, counted from 1. */
export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The position of a match in a line; undefined if there is none. */
export type FindInLine = (line: string) => number | undefined;

/** Longer lines are shortened to the part around the match. */
const MAX_LINE_LENGTH = 1_000;
const CHARACTERS_AROUND = 400;

/** Lines with a match and the lines around them, starting after line number `after`. */
export function* matchingLines(
  text: string,
  find: FindInLine,
  context: number,
  after: number,
): Generator<NumberedLine> {
  const lines = text.split('\n');
  let shownTo = after;
  for (const [index, line] of lines.entries()) {
    if (index + 1 + context <= after || find(line) === undefined) continue;
    shownTo = Math.max(shownTo, index - context);
    for (const around of lines.slice(shownTo, index + context + 1))
      yield { line: ++shownTo, text: shownLine(around, find) };
  }
}

/** A line, or the part of a long one around the first match. */
function shownLine(line: string, find: FindInLine): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const from = Math.max(
    0,
    Math.min((find(line) ?? 0) - CHARACTERS_AROUND / 2, line.length - CHARACTERS_AROUND),
  );
  const part = line.slice(from, from + CHARACTERS_AROUND).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  const left = Buffer.byteLength(line) - Buffer.byteLength(part);
  return `${from > 0 ? '…' : ''}${part}…[+${left} bytes]`;
}
