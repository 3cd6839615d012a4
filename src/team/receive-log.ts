import { fail } from '../contract/errors.ts';
import { redact } from '../contract/redact.ts';
import { providerWith } from '../sessions/providers/index.ts';
import type { Provider } from '../sessions/providers/provider.ts';
import { int, str } from '../sessions/store/session-row.ts';
import type { SqlRow } from '../store/database.ts';
import type { PostgresDatabase } from '../store/postgres.ts';
import type { CollectAnswer, CollectMessage, CollectRecord } from './collect-message.ts';
import { addToSession } from './derive-session.ts';
import { addMonth, INDEX_VERSION, thisMonth } from './team-store.ts';

/** The channel on which nodes tell each other which sessions changed. */
export const CHANGED = 'pinhole_sessions';
/** Sent there when somebody sets a price. */
export const PRICES_CHANGED = 'prices';

/**
 * Stores what a collector sent, and what is derived from it, in one transaction. A message that continues another run,
 * or begins after the stored end, changes nothing; the answer says where to continue.
 */
export async function receiveLog(
  db: PostgresDatabase,
  message: CollectMessage,
  providers: readonly Provider[],
  now: number,
): Promise<CollectAnswer> {
  refuseDisorder(message);
  const provider = providerWith(providers, message.log.provider);
  if (provider === undefined)
    fail(
      'invalid_parameter',
      `This server does not know the agent '${message.log.provider}'. Update Pinhole on the server.`,
    );
  return db.transaction(async (tx) => {
    const { machine, log, from } = message;
    const known = await tx.get('SELECT * FROM logs WHERE machine = ? AND path = ?', machine.id, log.path);
    const same = known !== undefined && known.run === log.run;
    if (!same && from > 0) return { run: str(known?.run), consumed: 0, added: 0 };
    if (same && from !== int(known.consumed))
      return { run: log.run, consumed: int(known.consumed), added: 0 };
    const id = await upsertLog(tx, message, known, now);
    if (!same && known !== undefined) await tx.run('DELETE FROM lines WHERE log = ?', id);
    await writeLines(tx, id, message.records);
    // A log that has not been read again since the index changed is read as a whole later, including the new records.
    if (known === undefined || int(known.derived) === INDEX_VERSION)
      await addToSession(tx, id, { message, provider, redact, again: !same });
    await tx.own('SELECT pg_notify($1, $2)', [CHANGED, String(id)]);
    return { run: log.run, consumed: message.to, added: message.records.length };
  });
}

/** Refuses records that are out of order, overlap, or are outside the positions that the message names. */
function refuseDisorder({ from, to, records }: CollectMessage): void {
  let at = from;
  for (const record of records) {
    if (record.at < at)
      fail(
        'invalid_parameter',
        `The record at ${record.at} begins before ${at}, where the one before it ends.`,
      );
    at = record.at + record.length;
  }
  if (at > to)
    fail('invalid_parameter', `The records end at ${at}, after the position ${to} of the message.`);
}

async function upsertLog(
  tx: PostgresDatabase,
  { machine, person, version, now: theirs, log, to, from, records }: CollectMessage,
  known: SqlRow | undefined,
  now: number,
): Promise<number> {
  await tx.run(
    `INSERT INTO machines (id, name, version, seen_ms, clock_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, seen_ms = excluded.seen_ms,
       clock_ms = excluded.clock_ms`,
    ...[machine.id, machine.name, version, now, Math.round(theirs - now)],
  );
  const seen = (table: string) =>
    `INSERT INTO ${table} (name, seen_ms) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seen_ms = excluded.seen_ms`;
  await tx.run(seen('people'), person, now);
  if (log.project !== undefined) await tx.run(seen('projects'), log.project, now);
  const place = JSON.stringify(log.place);
  if (known !== undefined) {
    await tx.run(
      `UPDATE logs SET person = ?, project = COALESCE(?, project), root = COALESCE(?, root), place = ?, run = ?,
         consumed = ?, records = ?, received_ms = ? WHERE id = ?`,
      ...[person, log.project ?? null, log.root ?? null, place, log.run, to],
      ...[records.length + (from === 0 ? 0 : int(known.records)), now, int(known.id)],
    );
    return int(known.id);
  }
  await addMonth(tx, await thisMonth(tx));
  const { id } = await tx.run(
    `INSERT INTO logs (machine, path, provider, person, project, root, place, run, consumed, records, received_ms, derived)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[machine.id, log.path, log.provider, person, log.project ?? null, log.root ?? null, place, log.run],
    ...[to, records.length, now, INDEX_VERSION],
  );
  return id;
}

async function writeLines(
  tx: PostgresDatabase,
  log: number,
  records: readonly CollectRecord[],
): Promise<void> {
  await tx.batch(
    'INSERT INTO lines (log, pos, length, body, spilled, too_long) VALUES (?, ?, ?, ?, ?, ?)',
    records.map(({ at, length, text, spilled, cut }) => [
      ...[
        log,
        at,
        length,
        text,
        spilled === undefined ? null : JSON.stringify(spilled),
        cut === true ? 1 : 0,
      ],
    ]),
  );
}
