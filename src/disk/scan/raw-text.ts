/*
 * Names on Linux are bytes and need not be UTF-8. Where such a name is part of a path that goes back to the system,
 * each byte that is no text travels as a lone surrogate, U+DC80 to U+DCFF, which no decoded text can hold. What is
 * shown to anyone has U+FFFD in these places instead.
 */

const PIECES = /([\udc80-\udcff]+)/u;
const ESCAPE = 0xdc00;
const LONGEST = 4;

/** A name as text from which its bytes can be had again, by {@link systemPath}. */
export function rawText(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\ufffd')) return text;
  let raw = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    raw += character ?? String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return raw;
}

function characterAt(bytes: Buffer, at: number): string | undefined {
  for (let end = at + 1; end <= Math.min(bytes.length, at + LONGEST); end++) {
    const part = bytes.subarray(at, end);
    const character = part.toString();
    if (Buffer.from(character).equals(part)) return character;
  }
  return undefined;
}

/** A path in the form in which the system takes it. */
export function systemPath(raw: string): string | Buffer {
  if (raw.isWellFormed()) return raw;
  const pieces = raw.split(PIECES).map((piece) => {
    if (piece.isWellFormed()) return Buffer.from(piece);
    return Buffer.from(Array.from(piece, (unit) => unit.charCodeAt(0) - ESCAPE));
  });
  return Buffer.concat(pieces);
}

/** A path as it is shown. */
export function shownPath(raw: string): string {
  return String(systemPath(raw));
}
