import { readSync } from 'node:fs';
import { blockOf } from './line-scanner-memory.ts';
import { MAX_RECORD_BYTES, RECORD_HEAD_BYTES } from './lines.ts';

const BLOCK_BYTES = 2 << 20;
/** How much of the end of a file is read first. */
const LAST_BYTES = 64 << 10;
const NEWLINE = 0x0a;

/** Some lines of a file. The bytes are only valid until the next block is requested. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly offset: number;
  /** `lines`: whole lines with their line breaks. Otherwise one line: still without a line break, or only its head. */
  readonly kind: 'lines' | 'unended' | 'too long';
}

/** Reads an open file in blocks of whole lines, into the memory of the line scanner. */
export function* lineBlocks(fd: number): Generator<LineBlock> {
  let buffer = blockOf(BLOCK_BYTES);
  /** Bytes in the buffer, and the position of the first one in the file. */
  let filled = 0;
  let offset = 0;
  for (;;) {
    if (filled === buffer.length) {
      if (filled >= MAX_RECORD_BYTES) {
        yield { bytes: buffer.subarray(0, RECORD_HEAD_BYTES), offset, kind: 'too long' };
        offset = afterLine(fd, buffer, offset + filled);
        filled = 0;
      } else buffer = blockOf(Math.min(MAX_RECORD_BYTES, filled * 2));
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

/**
 * The last lines between `from` and `to` of a file, at most `most` of them, without any that begin more than
 * MAX_RECORD_BYTES before `to`. They are in the returned block, from `start` on.
 */
export function lastLines(
  fd: number,
  from: number,
  to: number,
  most: number,
): { readonly bytes: Buffer; readonly start: number } {
  for (let wanted = LAST_BYTES; ; wanted *= 4) {
    const first = Math.max(from, to - Math.min(wanted, MAX_RECORD_BYTES));
    const block = blockOf(Math.max(0, to - first));
    const bytes = block.subarray(0, block.length === 0 ? 0 : readSync(fd, block, 0, block.length, first));
    let start = bytes.length;
    let lines = 0;
    for (; lines < most && start > 0; lines++) {
      const before = start < 2 ? -1 : bytes.lastIndexOf(NEWLINE, start - 2);
      if (before < 0 && first > from) break;
      start = before + 1;
    }
    if (lines === most || first === from || wanted >= MAX_RECORD_BYTES) return { bytes, start };
  }
}
