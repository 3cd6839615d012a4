import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, SqlRow } from '../../store/database.ts';
import { removeSession } from '../ingest/session-rows.ts';
import type { LogReading } from '../log-reading.ts';
import { providerWith } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { int, optional, type SessionRow, str } from '../store/session-row.ts';
import type { ArchiveSetting } from './archive-setting.ts';
import { keptFiles, keptPath } from './keep-logs.ts';

export interface Forgotten {
  /** The session, its copies and its subagents. */
  readonly sessions: readonly string[];
  /** Copies in the archive that were deleted. */
  readonly copies: number;
  /** Logs that are still in the agents' folders; Pinhole never deletes those. */
  readonly logs: readonly string[];
}

/** Removes a session and its subagents from the index and the archive; their logs are not read again. */
export async function forgetSession(
  db: Database,
  session: SessionRow,
  {
    providers,
    setting,
    reading,
  }: {
    readonly providers: readonly Provider[];
    readonly setting: ArchiveSetting;
    readonly reading: Pick<LogReading, 'scan' | 'changed'>;
  },
): Promise<Forgotten> {
  const rows = await db.all(
    `WITH RECURSIVE family(id) AS (SELECT ? UNION SELECT s.id FROM sessions s JOIN family f
       ON (s.parent_id = f.id AND s.relation = 'subagent') OR s.copy_of = f.id)
     SELECT s.key, s.id, s.provider, f.path, f.kept_at, f.missing FROM sessions s JOIN family USING (id)
     LEFT JOIN files f ON f.session = s.key`,
    session.id,
  );
  const paths = rows.flatMap(({ path }) => optional(path) ?? []);
  // Done first, so that nothing comes back from logs that are being read or are read again.
  setting.forget(paths);
  await reading.scan();
  const copies = new Set<string>();
  for (const row of rows)
    for (const copy of copiesOf(row, setting.folder, providers)) if (existsSync(copy)) copies.add(copy);
  for (const copy of copies) rmSync(copy, { force: true });
  await db.run('PRAGMA secure_delete = ON');
  await db.transaction(async (tx) => {
    for (const { key, id } of rows) {
      await removeSession(tx, int(key));
      await tx.run('DELETE FROM deleted_logs WHERE session = ?', str(id));
    }
  });
  await db.run('PRAGMA secure_delete = OFF');
  // Until a checkpoint, deleted rows remain in the write-ahead log.
  await db.all('PRAGMA wal_checkpoint(TRUNCATE)');
  reading.changed(rows.map(({ key }) => int(key)));
  return {
    sessions: [...new Set(rows.map(({ id }) => str(id)))],
    copies: copies.size,
    logs: rows.flatMap(({ path, missing }) => (missing === 0 ? (optional(path) ?? []) : [])),
  };
}

/** The copies of a log, and of the files next to it that belong to no other session. */
function* copiesOf(row: SqlRow, archive: string, providers: readonly Provider[]): Generator<string> {
  const path = optional(row.path);
  const provider = providerWith(providers, str(row.provider));
  if (path === undefined) return;
  yield optional(row.kept_at) ?? keptPath(archive, path);
  const isOwn = (side: string) => side.includes(str(row.id));
  for (const side of provider?.sideFiles?.(path) ?? []) if (isOwn(side)) yield keptPath(archive, side);
  for (const { path: folder } of provider?.spillFolders?.(path) ?? [])
    for (const copy of keptFiles(join(archive, folder))) if (isOwn(copy)) yield copy;
}
