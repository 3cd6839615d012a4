import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { Decompress } from 'fzstd';
import { documentRecords } from './document.ts';
import { linesFrom, type RawRecord, splitLines } from './lines.ts';

export type Format = 'lines' | 'document' | 'zstd';

/** How a log file is laid out, by its name. */
export function formatOf(path: string): Format {
  if (path.endsWith('.zst')) return 'zstd';
  return path.endsWith('.json') ? 'document' : 'lines';
}

/** Files that are rewritten as a whole are read from their beginning every time. */
export function isAppendOnly(path: string): boolean {
  return formatOf(path) === 'lines';
}

/** Records of a log from a byte position on. */
export function* recordsFrom(path: string, start: number): Generator<RawRecord> {
  const format = formatOf(path);
  if (format === 'document') {
    yield* documentRecords(readFileSync(path));
    return;
  }
  if (format === 'zstd') {
    yield* splitLines(unpacked(path), 0);
    return;
  }
  const fd = openSync(path, 'r');
  try {
    yield* linesFrom(fd, start);
  } finally {
    closeSync(fd);
  }
}

/** The bytes of one record as they stand in the log, or undefined when the file is gone or shorter. */
export function readBytes(path: string, offset: number, length: number): Buffer | undefined {
  if (formatOf(path) === 'zstd') {
    const whole = Buffer.concat([...unpacked(path)]);
    return whole.length < offset + length ? undefined : whole.subarray(offset, offset + length);
  }
  const fd = openSync(path, 'r');
  try {
    if (fstatSync(fd).size < offset + length) return undefined;
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(fd, bytes, filled, length - filled, offset + filled);
      if (read === 0) return undefined;
      filled += read;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

const INPUT_CHUNK = 256 * 1024;

function* unpacked(path: string): Generator<Uint8Array> {
  const packed = readFileSync(path);
  const ready: Uint8Array[] = [];
  const stream = new Decompress((chunk) => ready.push(chunk));
  for (let at = 0; at < packed.length; at += INPUT_CHUNK) {
    const end = Math.min(packed.length, at + INPUT_CHUNK);
    try {
      stream.push(packed.subarray(at, end), end === packed.length);
    } catch {
      // A damaged end costs what follows it; what was unpacked so far stays.
      yield* ready.splice(0);
      return;
    }
    yield* ready.splice(0);
  }
}
