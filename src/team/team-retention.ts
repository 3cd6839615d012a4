import { fail } from '../contract/errors.ts';
import { DAY_MS } from '../contract/time.ts';
import { removeSession } from '../sessions/ingest/session-rows.ts';
import { int, str } from '../sessions/store/session-row.ts';
import { parseJson } from '../store/column-values.ts';
import type { PostgresDatabase } from '../store/postgres.ts';
import { CHANGED } from './receive-log.ts';
import { BY_MONTH, MONTH } from './team-schema.ts';
import { thisMonth } from './team-store.ts';

/** How many days logs are kept after their last record arrived: for all projects (`*`), and for individual ones. */
export type RetentionDays = Readonly<Record<string, number>>;

export const ALL_PROJECTS = '*';
const SETTING = 'retention';
/** Logs deleted in one transaction; collectors wait meanwhile. */
const LOGS_PER_TRANSACTION = 20;

export async function retentionDays(db: PostgresDatabase): Promise<RetentionDays> {
  const [row] = await db.own('SELECT value FROM settings WHERE name = $1', [SETTING]);
  return parseJson<RetentionDays>(row?.value) ?? {};
}

/** Sets how long a project is kept; without days, the rule for all projects applies. */
export async function setRetention(
  db: PostgresDatabase,
  project: string,
  days: number | undefined,
): Promise<RetentionDays> {
  if (days !== undefined && !(Number.isInteger(days) && days >= 1))
    fail('invalid_parameter', 'Give a whole number of days, 1 or more.');
  return db.transaction(async (tx) => {
    const { [project]: _, ...others } = await retentionDays(tx);
    const made = days === undefined ? others : { ...others, [project]: days };
    await tx.own(
      'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [SETTING, JSON.stringify(made)],
    );
    return made;
  });
}

export interface Expired {
  readonly logs: number;
  readonly records: number;
}

const DAYS = `COALESCE(($1::json ->> l.project), ($1::json ->> '${ALL_PROJECTS}'))::bigint`;
/** Age is by the server's clock. A log without records has already been deleted. */
const EXPIRED = `FROM logs l WHERE l.records > 0 AND ${DAYS} IS NOT NULL AND l.received_ms < $2 - ${DAYS} * ${DAY_MS}`;

/** What is older than the retention of its project. */
export async function expired(db: PostgresDatabase, now: number): Promise<Expired> {
  const [row] = await db.own(`SELECT COUNT(*) AS logs, COALESCE(SUM(l.records), 0) AS records ${EXPIRED}`, [
    JSON.stringify(await retentionDays(db)),
    now,
  ]);
  return { logs: int(row?.logs), records: int(row?.records) };
}

/**
 * Deletes what has expired: records, sessions and texts. How much of a log was sent is kept, so that no collector sends
 * it again. A month with nothing left frees its space at once.
 */
export async function deleteExpired(
  db: PostgresDatabase,
  now: number,
  signal: AbortSignal,
  report: (done: number, total: number) => void = () => {},
): Promise<Expired> {
  const total = await expired(db, now);
  let [logs, records] = [0, 0];
  for (;;) {
    signal.throwIfAborted();
    report(logs, total.logs);
    const some = await db.transaction((tx) => deleteSome(tx, now));
    if (some.logs === 0) break;
    logs += some.logs;
    records += some.records;
  }
  if (logs > 0) await emptyMonths(db);
  return { logs, records };
}

async function deleteSome(tx: PostgresDatabase, now: number): Promise<Expired> {
  const rows = await tx.own(`SELECT l.id, l.records ${EXPIRED} ORDER BY l.id LIMIT ${LOGS_PER_TRANSACTION}`, [
    JSON.stringify(await retentionDays(tx)),
    now,
  ]);
  for (const { id } of rows) {
    for (const table of ['passages', 'read_sessions', 'session_marks'])
      await tx.own(`DELETE FROM ${table} WHERE session = (SELECT id FROM sessions WHERE key = $1)`, [id]);
    await removeSession(tx, int(id));
    await tx.run('DELETE FROM event_texts WHERE session = ?', int(id));
    await tx.run('DELETE FROM lines WHERE log = ?', int(id));
    await tx.run('UPDATE logs SET records = 0 WHERE id = ?', int(id));
    await tx.own('SELECT pg_notify($1, $2)', [CHANGED, str(String(id))]);
  }
  return { logs: rows.length, records: rows.reduce((sum, row) => sum + int(row.records), 0) };
}

/** Empties the partitions of past months that have no rows left: deleted rows still take space. */
async function emptyMonths(db: PostgresDatabase): Promise<void> {
  const current = await thisMonth(db);
  await db.transaction(async (tx) => {
    const months = await tx.own(
      `SELECT id / ${MONTH} AS month FROM logs WHERE id < ${current * MONTH} GROUP BY 1 HAVING SUM(records) = 0`,
    );
    for (const { month } of months)
      for (const table of BY_MONTH) await tx.own(`TRUNCATE ${table}_${int(month)}`);
  });
}
