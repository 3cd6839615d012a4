import { statSync } from 'node:fs';
import type { Database } from '../../store/database.ts';
import { findLogs, type LogFile, type LogFolder } from '../providers/find.ts';
import { int, str } from '../store/rows.ts';
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
}

/** Compares the folders with the index: what is new or changed, and what has gone. Oldest logs come first. */
export async function planScan(
  db: Database,
  folders: readonly LogFolder[],
  archive: boolean,
): Promise<ScanPlan> {
  const rows = await db.all('SELECT path, session, size, mtime, consumed, missing FROM files');
  const known = new Map(rows.map((row) => [str(row.path), row]));
  const files: (PlannedFile & { mtime: number })[] = [];
  const present = new Set<string>();
  for (const log of findLogs(folders)) {
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
  const removed: number[] = [];
  for (const [path, row] of known) {
    if (present.has(path) || !folders.some((folder) => path.startsWith(`${folder.path}/`))) continue;
    if (archive) await db.run('UPDATE files SET missing = 1 WHERE path = ?', path);
    else {
      await db.transaction((tx) => removeSession(tx, int(row.session)));
      removed.push(int(row.session));
    }
  }
  return { files, bytes: files.reduce((sum, file) => sum + file.size, 0), removed };
}

function statOf(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
