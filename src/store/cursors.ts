import { type CursorInput, type CursorStore, memoryCursors } from '../contract/cursor.ts';
import { Lru } from '../contract/lru.ts';
import type { Position } from '../contract/operation.ts';
import { redactDeep } from '../contract/redact.ts';
import { DAY_MS } from '../contract/time.ts';
import { parseJson } from './column-values.ts';
import type { Database } from './database.ts';

const MAX_AGE_MS = DAY_MS;
const SAVES_PER_SWEEP = 200;
/** The same request gives the same cursor; it is rewritten after this time, not with every answer. */
const WRITE_AGAIN_MS = MAX_AGE_MS / 24;

/**
 * Cursors in the database, kept for a day, so that a restart between two pages goes unnoticed. A cursor that contains a
 * secret, such as the name of the last file on a page, stays in memory.
 */
export function databaseCursors(db: Database, now: () => number, byAllNodes = false): CursorStore {
  let saved = 0;
  const written = new Lru<string, number>({ most: 1_000 });
  const unwritten = memoryCursors();
  return {
    byAllNodes,
    async save(id, record) {
      const { operation, input, position, created_at, version } = record;
      const content = { input, position };
      const writtenAt = written.peek(id);
      if (writtenAt !== undefined && created_at >= writtenAt && created_at - writtenAt < WRITE_AGAIN_MS)
        return;
      if (redactDeep(content) !== content) return unwritten.save(id, record);
      await db.run(
        `INSERT INTO cursors (id, operation, input, position, created_at, version) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at`,
        ...[id, operation, JSON.stringify(input), JSON.stringify(position), created_at, version],
      );
      written.set(id, created_at);
      if (++saved % SAVES_PER_SWEEP === 0)
        await db.run('DELETE FROM cursors WHERE created_at < ?', now() - MAX_AGE_MS);
    },
    async load(id) {
      const kept = await unwritten.load(id);
      if (kept !== undefined) return kept;
      const row = await db.get(
        'SELECT * FROM cursors WHERE id = ? AND created_at >= ?',
        id,
        now() - MAX_AGE_MS,
      );
      if (row === undefined) return undefined;
      return {
        operation: String(row.operation),
        input: parseJson<CursorInput>(row.input) ?? {},
        position: parseJson<Position>(row.position) ?? '',
        created_at: Number(row.created_at),
        version: Number(row.version),
      };
    },
  };
}
