/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The longest beginning of `text` that has at most `max` bytes and does not split a character. */
export function headBytes(text: string, max: number): string {
  if (text.length * 3 <= max || byteLength(text) <= max) return text;
  const bytes = Buffer.from(text.slice(0, max), 'utf8');
  let end = Math.min(max, bytes.length);
  // Step back over continuation bytes (10xxxxxx) to the start of the character that did not fit.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** Cuts a text to about `max` bytes and says how much is missing: `…[+N bytes]`. */
export function cutText(text: string, max: number): string {
  const total = byteLength(text);
  if (total <= max) return text;
  const mark = (missing: number) => `…[+${missing} bytes]`;
  const head = headBytes(text, Math.max(0, max - byteLength(mark(total))));
  return head + mark(total - byteLength(head));
}

// Control characters, line separators and direction marks: invisible or able to rewrite a terminal line.
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const asEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes text safe for a terminal: everything but tab and newline that is not printable becomes `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, asEscape);
}

/** The same for a value that must stay on one line, such as a file name. */
export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'));
}

/** Compact JSON; characters that could fool a reader's eye are written as escapes, so nothing is lost. */
export function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(UNPRINTABLE, asEscape);
}
