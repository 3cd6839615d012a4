import type { Database } from '../../store/database.ts';

/** Hashes of the records of the session that a fork was copied from; undefined if that session is not indexed. */
export async function parentHashes(
  db: Database,
  parentId: string,
  self: number | undefined,
): Promise<ReadonlySet<number> | undefined> {
  const parent = await db.get('SELECT key FROM sessions WHERE id = ? AND key <> ?', parentId, self ?? -1);
  if (parent === undefined) return undefined;
  const rows = await db.all('SELECT hash FROM events WHERE session = ?', Number(parent.key));
  return new Set(rows.map((row) => Number(row.hash)));
}
