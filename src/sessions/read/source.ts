import { closeSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Decompress } from 'fzstd';
import { type OpenFile, openFile, readWhole } from '../../contract/open-file.ts';
import type { SessionStore } from '../providers/provider.ts';
import { documentRecords } from './document.ts';
import { linesFrom, type RawRecord, splitLines } from './lines.ts';
import { isStored, storedRecords } from './stored.ts';

export type Format = 'lines' | 'document' | 'zstd' | 'stored';

/** The format of a log, by its name; a copy in the archive has the format of the original. */
export function formatOf(path: string): Format {
  const name = path.replace(/\.gz$/, '');
  if (isStored(name)) return 'stored';
  if (name.endsWith('.zst')) return 'zstd';
  return name.endsWith('.json') ? 'document' : 'lines';
}

/** Whether a log only grows. Others are rewritten, and read from the beginning every time. */
export function isAppendOnly(path: string): boolean {
  return formatOf(path) === 'lines' || formatOf(path) === 'stored';
}

/** Records of a log from a byte position on, or in a store from a record number on. */
export function* recordsFrom(path: string, start: number, store?: SessionStore): Generator<RawRecord> {
  const format = formatOf(path);
  if (format === 'stored') {
    yield* isKept(path) ? numbered(splitLines(unpacked(path), 0), start) : storedRecords(path, start, store);
    return;
  }
  if (format === 'document') {
    yield* documentRecords(wholeFile(path));
    return;
  }
  if (format === 'zstd' || isKept(path)) {
    yield* splitLines(unpacked(path), 0);
    return;
  }
  const { fd } = openLog(path);
  try {
    yield* linesFrom(fd, start);
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a record in the log, or undefined if the file is shorter. */
export function readBytes(
  path: string,
  offset: number,
  length: number,
  store?: SessionStore,
): Buffer | undefined {
  if (formatOf(path) === 'stored') {
    for (const record of recordsFrom(path, offset, store)) return record.bytes;
    return undefined;
  }
  if (formatOf(path) === 'zstd' || isKept(path)) {
    const whole = Buffer.concat([...unpacked(path)]);
    return whole.length < offset + length ? undefined : whole.subarray(offset, offset + length);
  }
  const { fd, stats } = openLog(path);
  try {
    if (stats.size < offset + length) return undefined;
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

/** Records of an archived copy, with their numbers in the store. */
function* numbered(records: Iterable<RawRecord>, start: number): Generator<RawRecord> {
  let number = 0;
  for (const { bytes } of records) {
    if (number >= start) yield { bytes, offset: number, length: 1 };
    number++;
  }
}

/** Whether a path belongs to a copy in the archive. */
export function isKept(path: string): boolean {
  return path.endsWith('.gz');
}

/** Opens a log or a copy of one; it must be a plain file, not a link. */
export function openLog(path: string): OpenFile {
  return openFile(path, { below: dirname(path) });
}

/** Larger logs are skipped if they have to be read as a whole. */
const MAX_WHOLE_BYTES = 1 << 30;

/**
 * All bytes of a file, or of the original of a copy in the archive. No part of its path below the folder `base` may
 * be a link.
 */
export function wholeFile(path: string, base = dirname(path), most = MAX_WHOLE_BYTES): Buffer {
  const bytes = readWhole(path, { below: base }, most);
  return isKept(path) ? gunzipSync(bytes, { maxOutputLength: most }) : bytes;
}

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const INPUT_CHUNK_BYTES = 256 * 1024;

/** The bytes of a packed log, or of its copy in the archive, which may hold them unpacked. */
export function* unpacked(path: string): Generator<Uint8Array> {
  const packed = wholeFile(path);
  if (formatOf(path) !== 'zstd' || !packed.subarray(0, 4).equals(ZSTD_MAGIC)) {
    yield packed;
    return;
  }
  const ready: Uint8Array[] = [];
  const stream = new Decompress((chunk) => ready.push(chunk));
  for (let at = 0; at < packed.length; at += INPUT_CHUNK_BYTES) {
    const end = Math.min(packed.length, at + INPUT_CHUNK_BYTES);
    try {
      stream.push(packed.subarray(at, end), end === packed.length);
    } catch {
      // Damaged: what was unpacked before the damage still counts.
      yield* ready.splice(0);
      return;
    }
    yield* ready.splice(0);
  }
}
