import { statSync } from 'node:fs';
import type { Database } from '../../store/database.ts';
import { keptFiles, originalPath } from '../archive/keep-logs.ts';
import { describe, findLogs, isLog, type LogFile, type LogFolder } from '../providers/log-files.ts';
import { int, str } from '../store/session-row.ts';
import type { Archive } from './reader-messages.ts';
import { removeSession } from './session-rows.ts';

export interface PlannedFile {
  readonly log: LogFile;
  /** Bytes there are to read at most. */
  readonly size: number;
  readonly anew?: boolean;
}

export interface ScanPlan {
  readonly files: PlannedFile[];
  readonly bytes: number;
  /** Sessions whose logs are gone. */
  readonly removed: readonly number[];
  /** Folders that cannot be read: nothing is known of what lies in them. */
  readonly unreadable: ReadonlyMap<string, unknown>;
}

/** Compares the folders with the index: what is new or changed, and what has gone. Oldest logs come first. */
export async function planScan(
  db: Database,
  folders: readonly LogFolder[],
  archive: Archive,
): Promise<ScanPlan> {
  const rows = await db.all('SELECT path, session, size, mtime, consumed, missing, kept_at FROM files');
  const known = new Map(rows.map((row) => [str(row.path), row]));
  const files: (PlannedFile & { mtime: number })[] = [];
  const present = new Set<string>();
  const unreadable = new Map<string, unknown>();
  for (const log of findLogs(folders, (folder, error) => unreadable.set(folder, error))) {
    const stats = statOf(log.path);
    if (stats === undefined) continue;
    present.add(log.path);
    const row = known.get(log.path);
    if (row !== undefined && int(row.size) === stats.size && Number(row.mtime) === stats.mtimeMs) {
      if (int(row.missing) === 1) await db.run('UPDATE files SET missing = 0 WHERE path = ?', log.path);
      continue;
    }
    const grown = row === undefined ? stats.size : Math.max(0, stats.size - int(row.consumed));
    files.push({ log, size: grown, mtime: stats.mtimeMs });
  }
  // Parents before the forks that were copied from them.
  files.sort((a, b) => a.mtime - b.mtime || (a.log.path < b.log.path ? -1 : 1));
  files.push(...onlyKept(known, present, folders, archive.folder));
  const removed: number[] = [];
  for (const [path, row] of known) {
    if (present.has(path) || !folders.some((folder) => path.startsWith(`${folder.path}/`))) continue;
    if ([...unreadable.keys()].some((folder) => path.startsWith(`${folder}/`))) continue;
    if (archive.on || row.kept_at !== null) await db.run('UPDATE files SET missing = 1 WHERE path = ?', path);
    else {
      await db.transaction((tx) => removeSession(tx, int(row.session)));
      removed.push(int(row.session));
    }
  }
  return { files, bytes: files.reduce((sum, file) => sum + file.size, 0), removed, unreadable };
}

/** Logs that are left only as copies, for an index that does not know them: it was made anew. */
function onlyKept(
  known: ReadonlyMap<string, unknown>,
  present: ReadonlySet<string>,
  folders: readonly LogFolder[],
  archive: string,
): (PlannedFile & { mtime: number })[] {
  return [...keptFiles(archive)].flatMap((copy) => {
    const path = originalPath(archive, copy);
    const folder = folders.find((one) => path.startsWith(`${one.path}/`));
    if (folder === undefined || known.has(path) || present.has(path) || !isLog(path, folder.provider))
      return [];
    const stats = statOf(copy);
    const log = describe(path, folder.provider, copy);
    return stats === undefined ? [] : [{ log, size: stats.size, mtime: stats.mtimeMs }];
  });
}

function statOf(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
