import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import type { LogFile } from '../providers/log-files.ts';
import type { SessionStore } from '../providers/provider.ts';
import { formatOf, openLog, readBytes } from '../read/source.ts';

/** What is stored about a file to tell whether it only grew. */
export interface Fingerprint {
  readonly size: number;
  readonly mtime: number;
  /** Hashes of the first and the last bytes that were read. */
  readonly head: string;
  readonly tail: string;
}

const EDGE_BYTES = 4096;

/** The fingerprint of the first `consumed` bytes of a log, or the first `consumed` records of one in a store. */
export function fingerprint(
  { path, keptAt, stamp }: LogFile,
  consumed: number,
  store: SessionStore | undefined,
): Fingerprint {
  const place = keptAt ?? path;
  if (formatOf(place) === 'stored') {
    const last = consumed === 0 ? undefined : readBytes(place, consumed - 1, 1, store);
    const { size, mtimeMs: mtime } = stamp ?? { size: consumed, mtimeMs: 0 };
    return { size, mtime, head: '', tail: last === undefined ? '' : hash(last) };
  }
  return fileFingerprint(place, consumed);
}

function fileFingerprint(path: string, consumed: number): Fingerprint {
  const { fd, stats } = openLog(path);
  try {
    const { size, mtimeMs } = stats;
    const edge = Math.min(EDGE_BYTES, consumed);
    return { size, mtime: mtimeMs, head: hashAt(fd, 0, edge), tail: hashAt(fd, consumed - edge, edge) };
  } finally {
    closeSync(fd);
  }
}

function hashAt(fd: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const read = length === 0 ? 0 : readSync(fd, bytes, 0, length, position);
  return hash(bytes.subarray(0, read));
}

function hash(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64url').slice(0, 16);
}

export type Change = 'same' | 'grown' | 'shrunk' | 'rewritten';

/** Compares a file with what was read from it. `appendOnly` is false for files that agents rewrite as a whole. */
export function compare(
  log: LogFile,
  before: Fingerprint & { consumed: number },
  appendOnly: boolean,
  store: SessionStore | undefined,
): Change {
  const { stamp } = log;
  if (stamp !== undefined && stamp.size === before.size && stamp.mtimeMs === before.mtime) return 'same';
  const now = fingerprint(log, before.consumed, store);
  if (stamp !== undefined) return now.tail === before.tail ? 'grown' : 'rewritten';
  if (now.size === before.size && now.mtime === before.mtime) return 'same';
  if (!appendOnly) return 'rewritten';
  if (now.size < before.size) return 'shrunk';
  if (now.head !== before.head || now.tail !== before.tail) return 'rewritten';
  // Touched without growing: it may have changed in the middle.
  return now.size === before.size ? 'rewritten' : 'grown';
}
