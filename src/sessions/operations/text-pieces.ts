import { headBytes } from '../../contract/bytes.ts';

/** A part of a text; offsets are in bytes of UTF-8. */
export interface TextPiece {
  readonly offset: number;
  readonly end: number;
  readonly text: string;
}

/** A text in pieces of at most `size` bytes, starting at a byte offset, without splitting characters. */
export function* piecesOf(text: string, from: number, size: number): Generator<TextPiece> {
  const bytes = Buffer.from(text, 'utf8');
  let offset = Math.min(Math.max(0, from), bytes.length);
  // An offset inside a character moves to the next one.
  while (offset < bytes.length && (bytes.readUInt8(offset) & 0xc0) === 0x80) offset++;
  while (offset < bytes.length) {
    // Four bytes more than needed, so that the cut falls on the last whole character.
    const window = bytes.toString('utf8', offset, Math.min(bytes.length, offset + size + 4));
    const part = headBytes(window, size);
    const end = offset + Buffer.byteLength(part);
    yield { offset, end, text: part };
    offset = end;
  }
}
