import { statSync } from 'node:fs';
import { isInside } from '../../contract/inside.ts';
import type { Database } from '../../store/database.ts';
import { keptFiles, originalPath } from '../archive/keep-logs.ts';
import { findLogs, type LogFile, type LogFolder, logAt } from '../providers/log-files.ts';
import { UnknownLog } from '../providers/log-writer.ts';
import type { Provider, Unreadable } from '../providers/provider.ts';
import { int, str } from '../store/session-row.ts';
import { type Archive, logHash } from './reader-messages.ts';
import { removeSession } from './session-rows.ts';

export interface PlannedFile {
  readonly log: LogFile;
  /** Bytes to read at most. */
  readonly size: number;
}

export interface ScanPlan {
  readonly files: PlannedFile[];
  readonly bytes: number;
  /** Sessions whose logs were deleted. */
  readonly removed: readonly number[];
  /** Folders that cannot be read; logs in them may still exist. */
  readonly unreadable: ReadonlyMap<string, unknown>;
}

/** A log on this disk, or its copy in the archive. */
export interface FoundLog {
  readonly log: LogFile;
  readonly stats: { readonly size: number; readonly mtimeMs: number };
}

/** Every log in the folders and in the archive, except forgotten ones. */
export function allLogs(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  archive: Archive,
): readonly FoundLog[] {
  const forgotten = new Set(archive.forgotten);
  const found = [...presentLogs(providers, folders, () => {})].filter(
    ({ log }) => !forgotten.has(logHash(log.path)),
  );
  const present = new Set(found.map(({ log }) => log.path));
  return [...found, ...keptLogs(providers, folders, archive, (path) => present.has(path))];
}

function* presentLogs(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  unreadable: Unreadable,
): Generator<FoundLog> {
  for (const log of findLogs(providers, folders, unreadable)) {
    const stats = log.stamp ?? statOf(log.path);
    if (stats !== undefined) yield { log, stats };
  }
}

/** Copies of logs that no longer exist. */
function* keptLogs(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  archive: Archive,
  isThere: (path: string) => boolean,
): Generator<FoundLog> {
  for (const copy of keptFiles(archive.folder)) {
    const path = originalPath(archive.folder, copy);
    const log = isThere(path) ? undefined : logAt(providers, folders, path, copy);
    const stats = log && statOf(copy);
    if (log !== undefined && stats !== undefined) yield { log, stats };
  }
}

/** People look at these first, so a first scan reads them before the older ones. */
const NEWEST_LOGS_FIRST = 200;

/**
 * Compares the folders with the index: which logs are new, changed or deleted. The newest logs come first, then the
 * others, oldest first.
 */
export async function planScan(
  db: Database,
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  archive: Archive,
): Promise<ScanPlan> {
  const forgotten = new Set(archive.forgotten);
  const rows = await db.all(
    'SELECT path, provider, session, size, mtime, consumed, missing, kept_at FROM files',
  );
  const known = new Map(rows.map((row) => [str(row.path), row]));
  const files: (PlannedFile & { mtime: number })[] = [];
  const present = new Set<string>();
  const unreadable = new Map<string, unknown>();
  const cannotRead = (folder: string, error: unknown) => unreadable.set(folder, error);
  for (const { log, stats } of presentLogs(providers, folders, cannotRead)) {
    present.add(log.path);
    if (forgotten.has(logHash(log.path))) continue;
    const row = known.get(log.path);
    const isSame = int(row?.size) === stats.size && Number(row?.mtime) === stats.mtimeMs;
    if (row !== undefined && isSame && row.provider === log.provider) {
      if (int(row.missing) === 1) await db.run('UPDATE files SET missing = 0 WHERE path = ?', log.path);
      continue;
    }
    const grown = row === undefined ? stats.size : Math.max(0, stats.size - int(row.consumed));
    files.push({ log, size: grown, mtime: stats.mtimeMs });
  }
  // Parents before the forks that were copied from them: a fork that is read too early has to be read twice.
  files.sort((a, b) => a.mtime - b.mtime || (a.log.path < b.log.path ? -1 : 1));
  files.unshift(...files.splice(-NEWEST_LOGS_FIRST).reverse());
  // Copies whose logs are gone, which a rebuilt index does not know yet.
  const kept = keptLogs(providers, folders, archive, (path) => known.has(path) || present.has(path));
  for (const { log, stats } of kept) files.push({ log, size: stats.size, mtime: stats.mtimeMs });
  const removed: number[] = [];
  for (const [path, row] of known) {
    if (present.has(path) || !folders.some((folder) => isInside(path, folder.path))) continue;
    if (unreadable.get(path) instanceof UnknownLog) {
      await db.transaction((tx) => removeSession(tx, int(row.session)));
      removed.push(int(row.session));
      continue;
    }
    if ([...unreadable.keys()].some((folder) => isInside(path, folder))) continue;
    const isKept = archive.on || row.kept_at !== null;
    if (int(row.missing) === 0) await recordDeleted(db, int(row.session), isKept);
    if (isKept) await db.run('UPDATE files SET missing = 1 WHERE path = ?', path);
    else {
      await db.transaction((tx) => removeSession(tx, int(row.session)));
      removed.push(int(row.session));
    }
  }
  return { files, bytes: files.reduce((sum, file) => sum + file.size, 0), removed, unreadable };
}

/** Notes that the agent deleted the log of a session. */
async function recordDeleted(db: Database, session: number, isKept: boolean): Promise<void> {
  await db.run(
    `INSERT OR REPLACE INTO deleted_logs (session, provider, project_path, end_ms, noticed_ms, kept)
     SELECT id, provider, COALESCE(project_path, cwd), end_ms, ?, ? FROM sessions WHERE key = ?`,
    ...[Date.now(), isKept ? 1 : 0, session],
  );
}

function statOf(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
