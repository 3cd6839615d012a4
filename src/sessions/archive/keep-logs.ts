import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readWhole } from '../../contract/open-file.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import type { Archive } from '../ingest/reader-messages.ts';
import { providerWith } from '../providers/index.ts';
import type { AgentPath, Provider, SessionStore } from '../providers/provider.ts';
import { formatOf, isAppendOnly, openLog, unpacked } from '../read/source.ts';
import { isStored, storedRecords } from '../read/stored.ts';
import { int, str } from '../store/session-row.ts';
import { redactedCopy } from './redact-copy.ts';
import { sideFiles } from './side-files.ts';

/** Bytes of a log that are compressed together. */
const PORTION_BYTES = 8 << 20;
const NEWLINE = Buffer.from('\n');
/** Larger files next to a log are not kept. */
const MAX_SIDE_FILE_BYTES = 64 << 20;

/** The path of a copy. The archive mirrors the whole path, so that the original path can be derived from it. */
export function keptPath(archive: string, path: string): string {
  return `${join(archive, path)}.gz`;
}

/** The path of the file that a copy was made from. */
export function originalPath(archive: string, copy: string): string {
  return copy.slice(archive.length).replace(/\.gz$/, '');
}

/**
 * Copies new content of every log into the archive: compressed, readable only by the user, and redacted unless the user
 * asked for unredacted copies. Only what was appended is copied; while a log is being written, additions smaller than
 * `least` bytes wait.
 */
export async function keepLogs(
  db: Database,
  providers: readonly Provider[],
  archive: Archive,
  least = 1,
): Promise<void> {
  const rows = await db.all(
    `SELECT path, provider, size, consumed, kept, kept_packed FROM files WHERE missing = 0
       AND CASE WHEN consumed > 0 THEN consumed ELSE size END - kept NOT BETWEEN 0 AND ?`,
    least - 1,
  );
  for (const row of rows) {
    try {
      await keepLog(db, archive, row, providerWith(providers, str(row.provider)));
    } catch {
      // Deleted or made unreadable in the meantime: the next scan deals with it.
    }
  }
}

async function keepLog(
  db: Database,
  { folder, unredacted }: Archive,
  row: SqlRow,
  provider: Provider | undefined,
): Promise<void> {
  const path = str(row.path);
  const copy = keptPath(folder, path);
  const clean = unredacted ? (bytes: Uint8Array) => bytes : redactedCopy;
  const wanted = isAppendOnly(path) ? int(row.consumed) : statSync(path).size;
  const grown = isAppendOnly(path) && int(row.kept) > 0 && int(row.kept) < wanted && existsSync(copy);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  const packed = grown
    ? append(
        copy,
        int(row.kept_packed),
        cleaned(portions(path, int(row.kept), wanted, provider?.store), clean),
      )
    : replace(copy, cleaned(portions(path, 0, wanted, provider?.store), clean));
  for (const side of provider === undefined ? [] : sideFiles(provider, path)) keepSide(folder, side, clean);
  await db.run(
    'UPDATE files SET kept = ?, kept_packed = ?, kept_at = ? WHERE path = ?',
    ...[wanted, packed, copy, path],
  );
}

/** Each addition is a separate gzip member. A member left incomplete by a crash is cut off first. */
function append(copy: string, packed: number, added: Iterable<Uint8Array>): number {
  const target = openSync(copy, 'r+', 0o600);
  try {
    ftruncateSync(target, packed);
    return packInto(target, packed, added);
  } finally {
    closeSync(target);
  }
}

function replace(copy: string, whole: Iterable<Uint8Array>): number {
  const draft = `${copy}.new`;
  const target = openSync(draft, 'w', 0o600);
  let packed: number;
  try {
    packed = packInto(target, 0, whole);
  } finally {
    closeSync(target);
  }
  renameSync(draft, copy);
  return packed;
}

function packInto(target: number, at: number, added: Iterable<Uint8Array>): number {
  let end = at;
  for (const bytes of added) {
    const member = gzipSync(bytes);
    writeSync(target, member, 0, member.length, end);
    end += member.length;
  }
  return end;
}

type Clean = (bytes: Uint8Array) => Uint8Array;

/** Pieces that end at a line break, so that no secret is split. */
function* cleaned(pieces: Iterable<Uint8Array>, clean: Clean): Generator<Uint8Array> {
  let rest: Uint8Array = Buffer.alloc(0);
  for (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield clean(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield clean(rest);
}

/** A range of a log, in pieces: bytes of a file, or the records of a session in a store as lines. */
function* portions(
  path: string,
  from: number,
  to: number,
  store: SessionStore | undefined,
): Generator<Uint8Array> {
  if (isStored(path)) {
    const lines = [...storedRecords(path, from, store)].slice(0, to - from);
    for (const { bytes } of lines) yield Buffer.concat([bytes, NEWLINE]);
    return;
  }
  if (formatOf(path) === 'zstd') {
    // Unpacked, because packed content cannot be redacted.
    yield* unpacked(path);
    return;
  }
  const { fd } = openLog(path);
  try {
    const bytes = Buffer.allocUnsafe(Math.min(PORTION_BYTES, Math.max(1, to - from)));
    for (let position = from; position < to; ) {
      const read = readSync(fd, bytes, 0, Math.min(bytes.length, to - position), position);
      if (read === 0) break;
      yield bytes.subarray(0, read);
      position += read;
    }
  } finally {
    closeSync(fd);
  }
}

/** Files next to a log do not change once they are written. */
function keepSide(archive: string, { path, base }: AgentPath, clean: Clean): void {
  const copy = keptPath(archive, path);
  if (existsSync(copy)) return;
  let bytes: Buffer;
  try {
    bytes = readWhole(path, { below: base }, MAX_SIDE_FILE_BYTES);
  } catch {
    // Missing, too large, or a link, so not a file of this log.
    return;
  }
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  writeFileSync(copy, gzipSync(clean(bytes)), { mode: 0o600 });
}

/** Every copy in an archive. */
export function* keptFiles(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.gz')) yield join(entry.parentPath ?? entry.path, entry.name);
  }
}
