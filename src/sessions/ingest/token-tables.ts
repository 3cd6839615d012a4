import type { Database, SqlValue } from '../../store/database.ts';
import { insertSlots, slotSums } from '../tokens/usage-slots.ts';
import { projectHash, projectOf } from './project-of.ts';
import { newSession } from './session-rows.ts';
import type { SkimmedLog } from './skimmed-log.ts';
import { raised, type TokenRow } from './token-rows.ts';
import { USAGE_COLUMNS, usageValues } from './usage-rows.ts';

/** Writes the rows of the sessions; returns their keys in the order of the logs. */
export async function writeSessions(tx: Database, logs: readonly SkimmedLog[]): Promise<readonly number[]> {
  const times = new Map<string, number>();
  for (const { id } of logs) times.set(id, (times.get(id) ?? 0) + 1);
  const keys: number[] = [];
  for (const log of logs) {
    const { id, named, provider, archived } = log;
    // If two logs have the same id, one of them gets it by the same rules as in the index.
    const facts = { id: named ? id : undefined };
    const key =
      times.get(id) === 1
        ? (await tx.run(INSERT_SESSION, id, provider)).id
        : await newSession(
            tx,
            id,
            { id: undefined, provider, archived },
            { facts, ms: log.endMs, snippet: log.snippet ?? '', events: log.events },
          );
    const project = log.cwd === undefined ? undefined : projectOf(log.cwd);
    await tx.run(
      UPDATE_SESSION,
      ...[project === undefined ? (log.projectHash ?? null) : projectHash(project), project ?? null],
      ...[log.cwd ?? null, log.title ?? null, log.snippet ?? '', log.parentId ?? null, log.relation ?? null],
      ...[log.startMs, log.endMs, log.events, log.answered ? 1 : 0, log.contextTokens],
      ...[log.clientUsage === undefined ? null : JSON.stringify(log.clientUsage), key],
    );
    if (times.get(id) !== 1) await tx.run(INSERT_FILE, log.path, provider, key, archived ? 1 : 0);
    keys.push(key);
  }
  return keys;
}

const INSERT_SESSION = `INSERT INTO sessions (id, provider, start_ms, end_ms, snippet, last_message, turns, steps, events,
    tool_calls, failures, compactions, bad_lines, unknown_records, context_tokens, state)
  VALUES (?, ?, 0, 0, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, '')`;
const UPDATE_SESSION = `UPDATE sessions SET project_hash = ?, project_path = ?, cwd = ?, title = ?, snippet = ?,
    parent_id = ?, relation = ?, start_ms = ?, end_ms = ?, events = ?, steps = ?, context_tokens = ?,
    client_usage = ? WHERE key = ?`;
const INSERT_FILE = `INSERT INTO files (path, provider, session, size, mtime, consumed, head, tail, archived)
  VALUES (?, ?, ?, 0, 0, 0, '', '', ?)`;

interface Holder {
  readonly key: number;
  readonly startMs: number;
  row: TokenRow;
  owned: boolean;
}

/**
 * Writes the sums of all responses, and with `every` the responses themselves. Each belongs to the earliest session
 * that has it, or else to the earliest that reports it.
 */
export async function writeResponses(
  tx: Database,
  logs: readonly SkimmedLog[],
  keys: readonly number[],
  every: boolean,
): Promise<void> {
  const copies = await keysOf(tx, 'SELECT key FROM sessions WHERE copy_of IS NOT NULL');
  const holders = settled(logs, keys, copies);
  const slots = slotSums();
  for (const { key, row, owned } of holders) if (owned) slots.add(key, row);
  await insertSlots(tx, slots.rows());
  const counted = every ? undefined : await keysOf(tx, COUNTED_BY_CLIENT);
  if (counted?.size === 0) return;
  await tx.batch(
    `INSERT INTO usage (${USAGE_COLUMNS}, owned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    usageRows(counted === undefined ? holders : holders.filter(({ key }) => counted.has(key))),
  );
}

/** Sessions whose responses are compared with the agent's own totals. */
const COUNTED_BY_CLIENT = `WITH RECURSIVE family (key, id) AS (
  SELECT key, id FROM sessions WHERE client_usage IS NOT NULL
  UNION SELECT s.key, s.id FROM sessions s JOIN family f ON s.parent_id = f.id WHERE s.relation = 'subagent')
SELECT key FROM family`;

async function keysOf(tx: Database, sql: string): Promise<ReadonlySet<number>> {
  return new Set((await tx.all(sql)).map((row) => Number(row.key)));
}

/** All responses, each with the session it belongs to. */
function settled(
  logs: readonly SkimmedLog[],
  keys: readonly number[],
  copies: ReadonlySet<number>,
): readonly Holder[] {
  const before = (a: Holder, b: Holder) =>
    Number(a.row[5]) - Number(b.row[5]) ||
    a.startMs - b.startMs ||
    Number(copies.has(a.key)) - Number(copies.has(b.key)) ||
    a.key - b.key;
  const owners = new Map<string, Holder>();
  const holders: Holder[] = [];
  for (const [index, { startMs, responses }] of logs.entries()) {
    for (const row of responses) {
      const holder: Holder = { key: keys[index] ?? 0, startMs, row, owned: true };
      holders.push(holder);
      const owner = owners.get(row[0]);
      if (owner === undefined) {
        owners.set(row[0], holder);
        continue;
      }
      const [first, later] = before(holder, owner) < 0 ? [holder, owner] : [owner, holder];
      first.row = raised(first.row, later.row[3], later.row[4], first.row[5]);
      later.owned = false;
      owners.set(row[0], first);
    }
  }
  return holders;
}

function* usageRows(holders: readonly Holder[]): Generator<readonly SqlValue[]> {
  for (const { key, row, owned } of holders) {
    const [response, ms, model, usage, lowerBound, relayed] = row;
    const place = { event: 0, turn: -1, step: 0 };
    yield [...usageValues(key, { ...place, response, ms, model, usage, lowerBound, relayed }), owned ? 1 : 0];
  }
}
