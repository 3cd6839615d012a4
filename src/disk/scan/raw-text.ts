import { uint8At } from '../../contract/at.ts';

/*
 * Names on Linux are bytes and need not be UTF-8. In "raw text", which can be passed back to the system, each byte that
 * is not text is a lone surrogate, U+DC80 to U+DCFF, which decoded text never contains. In text for display these bytes
 * are U+FFFD.
 */

const RAW_BYTES = /([\udc80-\udcff]+)/u;
const RAW_BYTE_BASE = 0xdc00;
const MAX_CHARACTER_BYTES = 4;

/** A name as raw text, from which {@link systemPath} restores its bytes. */
export function rawText(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\ufffd')) return text;
  let raw = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    raw += character ?? String.fromCharCode(RAW_BYTE_BASE + uint8At(bytes, at));
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return raw;
}

function characterAt(bytes: Buffer, at: number): string | undefined {
  for (let end = at + 1; end <= Math.min(bytes.length, at + MAX_CHARACTER_BYTES); end++) {
    const part = bytes.subarray(at, end);
    const character = part.toString();
    if (Buffer.from(character).equals(part)) return character;
  }
  return undefined;
}

/** A path in the form that system calls accept. */
export function systemPath(raw: string): string | Buffer {
  if (raw.isWellFormed()) return raw;
  const pieces = raw.split(RAW_BYTES).map((piece) => {
    if (piece.isWellFormed()) return Buffer.from(piece);
    return Buffer.from(Array.from(piece, (unit) => unit.charCodeAt(0) - RAW_BYTE_BASE));
  });
  return Buffer.concat(pieces);
}

/** A path for display. */
export function shownPath(raw: string): string {
  return String(systemPath(raw));
}
