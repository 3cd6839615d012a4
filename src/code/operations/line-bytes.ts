const NEWLINE = 10;

/** First byte and one after the last byte, in the file. */
export type ByteSpan = readonly [start: number, end: number];

/** The bytes of some lines, counted from 1, both included and without the last line end. */
export type LineBytes = (from: number, to: number) => ByteSpan | undefined;

/** Where the lines of a file are; undefined for UTF-16, whose lines are not those of its bytes. */
export function lineBytes(content: Buffer): LineBytes | undefined {
  const isUtf16 = content.length > 1 && (content[0] ?? 0) + (content[1] ?? 0) === 0xfe + 0xff;
  if (isUtf16) return undefined;
  const starts = [0];
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1))
    starts.push(at + 1);
  return (from, to) => {
    const start = starts[from - 1];
    if (start === undefined || to < from) return undefined;
    const next = starts[to];
    return [start, next === undefined ? content.length : next - 1];
  };
}
