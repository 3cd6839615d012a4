import { readSync } from 'node:fs';
import { MAX_RECORD_BYTES, RECORD_HEAD_BYTES } from './lines.ts';

const BLOCK_BYTES = 2 << 20;
const NEWLINE = 0x0a;

/** Some lines of a file. The bytes are only valid until the next block is asked for. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly offset: number;
  /** `lines`: whole lines, each with its line break. Else one line: without a line break yet, or only the head of it. */
  readonly kind: 'lines' | 'unended' | 'too long';
}

const spare: Buffer[] = [];

/** Reads an open file in blocks of whole lines: far fewer objects than lines. */
export function* lineBlocks(fd: number): Generator<LineBlock> {
  let buffer = spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  /** Bytes in the buffer, and where the first of them is in the file. */
  let filled = 0;
  let offset = 0;
  for (;;) {
    if (filled === buffer.length) {
      if (filled >= MAX_RECORD_BYTES) {
        yield { bytes: buffer.subarray(0, RECORD_HEAD_BYTES), offset, kind: 'too long' };
        offset = afterLine(fd, buffer, offset + filled);
        filled = 0;
      } else {
        const larger = Buffer.allocUnsafeSlow(Math.min(MAX_RECORD_BYTES, filled * 2));
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
    }
    const read = readSync(fd, buffer, filled, buffer.length - filled, offset + filled);
    if (read === 0) break;
    const end = buffer.subarray(0, filled + read).lastIndexOf(NEWLINE) + 1;
    filled += read;
    if (end === 0) continue;
    yield { bytes: buffer.subarray(0, end), offset, kind: 'lines' };
    buffer.copy(buffer, 0, end, filled);
    filled -= end;
    offset += end;
  }
  if (filled > 0) yield { bytes: buffer.subarray(0, filled), offset, kind: 'unended' };
  if (spare.length === 0 && buffer.length === BLOCK_BYTES) spare.push(buffer);
}

/** The position after the next line break. */
function afterLine(fd: number, buffer: Buffer, from: number): number {
  for (let at = from; ; ) {
    const read = readSync(fd, buffer, 0, BLOCK_BYTES, at);
    const end = buffer.subarray(0, read).indexOf(NEWLINE);
    if (read === 0 || end >= 0) return at + end + 1;
    at += read;
  }
}

/** The last lines of a file from `from` to `to`, at most so many; one that begins too far before is left out. */
export function lastLines(fd: number, from: number, to: number, most: number): readonly Buffer[] {
  for (let wanted = 64 << 10; ; wanted *= 4) {
    const start = Math.max(from, to - Math.min(wanted, MAX_RECORD_BYTES));
    const bytes = Buffer.allocUnsafe(Math.max(0, to - start));
    const read = bytes.length === 0 ? 0 : readSync(fd, bytes, 0, bytes.length, start);
    const lines = splitBack(bytes.subarray(0, read), most, start === from);
    if (lines.length === most || start === from || wanted >= MAX_RECORD_BYTES) return lines;
  }
}

/** The last lines of some bytes, in their order. */
function splitBack(bytes: Buffer, most: number, fromStart: boolean): Buffer[] {
  const lines: Buffer[] = [];
  for (let end = bytes.length; end > 0 && lines.length < most; ) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(NEWLINE, end - 2) + 1;
    if (start > 0 || fromStart) lines.unshift(bytes.subarray(start, end));
    end = start;
  }
  return lines;
}
