import { textOf } from '../../contract/file-name.ts';

/*
 * Names on Linux are bytes and need not be UTF-8. In "raw text", which can be passed back to the system, each byte that
 * is not text is a lone surrogate, U+DC80 to U+DCFF, which decoded text never contains. In text for display these bytes
 * are U+FFFD.
 */

const RAW_BYTES = /([\udc80-\udcff]+)/u;
const RAW_BYTE_BASE = 0xdc00;

/** A name as raw text, from which {@link systemPath} restores its bytes. */
export function rawText(bytes: Buffer): string {
  return textOf(bytes, (byte) => String.fromCharCode(RAW_BYTE_BASE + byte));
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
