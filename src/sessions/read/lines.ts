import { readSync } from 'node:fs';
import { parseRecord } from '../model/log-json.ts';

/**
 * One record of a log: its bytes without the line break; `length` includes it. The bytes are only valid until the next
 * record is requested.
 */
export interface RawRecord {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly length: number;
  /** The record is too long to be read; `bytes` is its beginning. */
  readonly tooLong?: true;
}

/** No agent writes longer records; if one is longer, that record is lost, not the session. */
export const MAX_RECORD_BYTES = 64 << 20;
/** How much of a longer record is read. */
export const RECORD_HEAD_BYTES = 64 << 10;

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Reads the lines of a file from `start` on. Empty lines belong to the line before. A last line without a line break
 * counts only if it is a complete JSON object; a half-written one is left for the next time.
 */
export function* linesFrom(fd: number, start: number): Generator<RawRecord> {
  yield* splitLines(chunksOf(fd, start), start);
}

function* chunksOf(fd: number, start: number): Generator<Buffer> {
  // Reuse one buffer: new ones would make a gigabyte of garbage for a gigabyte of logs.
  const chunk = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let position = start; ; ) {
    const read = readSync(fd, chunk, 0, CHUNK_BYTES, position);
    if (read === 0) break;
    position += read;
    yield read === CHUNK_BYTES ? chunk : chunk.subarray(0, read);
  }
  if (spare.length === 0) spare.push(chunk);
}

const spare: Buffer[] = [];

/** The lines of consecutive chunks that begin at `start`. */
export function* splitLines(chunks: Iterable<Uint8Array>, start: number): Generator<RawRecord> {
  let pending: Buffer[] = [];
  let pendingLength = 0;
  let at = start;
  // A line is held back until it is known how many empty lines follow it.
  let held: { bytes: Buffer; offset: number; length: number; tooLong?: true } | undefined;
  for (const piece of chunks) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, end);
      const length = pendingLength + part.length + 1;
      const tooLong = length > MAX_RECORD_BYTES;
      const line = pendingLength === 0 || tooLong ? (pending[0] ?? part) : Buffer.concat([...pending, part]);
      pending = [];
      pendingLength = 0;
      from = end + 1;
      if (isBlank(line)) {
        if (held === undefined) held = { bytes: EMPTY, offset: at, length };
        else held.length += length;
      } else {
        if (held !== undefined) yield held;
        held = tooLong
          ? { bytes: line.subarray(0, RECORD_HEAD_BYTES), offset: at, length, tooLong }
          : { bytes: line, offset: at, length };
      }
      at += length;
    }
    if (from < chunk.length) {
      pendingLength += chunk.length - from;
      if (pendingLength <= MAX_RECORD_BYTES) pending.push(Buffer.from(chunk.subarray(from)));
      else pending = pending.slice(0, 1);
    }
    // The next chunk may be in the same memory.
    if (held !== undefined) held.bytes = Buffer.from(held.bytes);
  }
  if (held !== undefined) yield held;
  if (pendingLength === 0 || pendingLength > MAX_RECORD_BYTES) return;
  const bytes = Buffer.concat(pending);
  if (isWholeObject(bytes.toString('utf8'))) yield { bytes, offset: at, length: pendingLength };
}

export function isBlank(bytes: Buffer, start = 0, end = bytes.length): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}

/** The beginning of a JSON object never parses, so an object that parses is complete. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseRecord(text) !== undefined;
}
