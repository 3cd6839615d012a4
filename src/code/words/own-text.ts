/** V8 keeps shorter parts of a text as copies, longer ones as references to the whole text. */
const SHORTEST_REFERENCE = 13;
const NOT_LATIN = /[^\0-\xff]/;

/** The same text with memory of its own: a kept part of a file's text would keep the whole file in memory. */
export function ownText(part: string): string {
  if (part.length < SHORTEST_REFERENCE) return part;
  const encoding = NOT_LATIN.test(part) ? 'utf16le' : 'latin1';
  return Buffer.from(part, encoding).toString(encoding);
}
