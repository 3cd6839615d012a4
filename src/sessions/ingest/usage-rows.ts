import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { totalTokens, type Usage } from '../model/event.ts';
import { UNLOGGED, type UsageRow } from '../model/event-rows.ts';
import { writeSlots } from '../tokens/usage-slots.ts';
import { rowsWith } from './rows-with.ts';

/** The columns of the table `usage` that {@link usageValues} fills. */
export const USAGE_COLUMNS = `session, response, event, turn, step, ms, model, input, cached, cache_write,
  cache_write_hour, output, reasoning, tool, lower_bound, relayed`;

export function usageValues(session: number, row: UsageRow): readonly SqlValue[] {
  const { usage } = row;
  return [
    ...[session, row.response, row.event, row.turn, row.step, row.ms, row.model ?? null],
    ...[usage.input, usage.cached, usage.cacheWrite, usage.cacheWriteHour, usage.output, usage.reasoning],
    ...[usage.tool, row.lowerBound ? 1 : 0, row.relayed ? 1 : 0],
  ];
}

/** Adds usage. Lines that repeat a response can raise its counts, but are never added up. */
export async function writeUsage(tx: Database, session: number, rows: readonly UsageRow[]): Promise<void> {
  await tx.batch(
    `INSERT INTO usage (${USAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session, response) DO UPDATE SET input = max(usage.input, excluded.input),
       cached = max(usage.cached, excluded.cached), cache_write = max(usage.cache_write, excluded.cache_write),
       cache_write_hour = max(usage.cache_write_hour, excluded.cache_write_hour),
       output = max(usage.output, excluded.output), reasoning = max(usage.reasoning, excluded.reasoning),
       tool = max(usage.tool, excluded.tool), lower_bound = min(usage.lower_bound, excluded.lower_bound),
       relayed = min(usage.relayed, excluded.relayed)`,
    rows.map((row) => usageValues(session, row)),
  );
}

/** Assigns the responses of new rows to sessions, and updates the totals of the sessions concerned. */
export async function assignUsage(
  tx: Database,
  session: number,
  rows: readonly UsageRow[],
  clientUsage: Readonly<Record<string, Usage>> | undefined,
): Promise<void> {
  await settleResponses(
    tx,
    rows.map((row) => row.response),
  );
  await addUnlogged(tx, session, clientUsage);
  await updateTotal(tx, session);
}

/**
 * Assigns every response to the earliest session that has it, or else to the earliest that reports it. Forks and
 * continued sessions contain copies of earlier responses.
 */
export async function settleResponses(tx: Database, responses: readonly string[]): Promise<void> {
  const concerned = new Set<number>();
  for (const [response, holders] of await holdersOf(tx, [...new Set(responses)])) {
    const [owner, ...others] = holders.map((holder) => Number(holder.session));
    if (owner === undefined) continue;
    if (others.length === 0) {
      if (holders[0]?.owned === 1) continue;
      await tx.run('UPDATE usage SET owned = 1 WHERE response = ?', response);
      concerned.add(owner);
      continue;
    }
    await tx.run(
      `UPDATE usage SET owned = 1,
         (input, cached, cache_write, cache_write_hour, output, reasoning, tool, lower_bound) = (
         SELECT max(input), max(cached), max(cache_write), max(cache_write_hour), max(output), max(reasoning),
           max(tool), min(lower_bound)
         FROM usage WHERE response = ?) WHERE response = ? AND session = ?`,
      ...[response, response, owner],
    );
    await tx.run('UPDATE usage SET owned = 0 WHERE response = ? AND session <> ?', response, owner);
    for (const holder of [owner, ...others]) concerned.add(holder);
    const copies = holders.slice(1).filter(({ relayed }) => relayed === 0);
    await linkContinuation(
      tx,
      owner,
      copies.map((holder) => Number(holder.session)),
    );
  }
  for (const key of concerned) await updateTotal(tx, key);
}

/** The sessions that have each response, its owner first. */
async function holdersOf(
  tx: Database,
  responses: readonly string[],
): Promise<ReadonlyMap<string, readonly SqlRow[]>> {
  const rows = await rowsWith(
    tx,
    `SELECT u.response, u.session, u.owned, u.relayed, s.start_ms, s.copy_of IS NOT NULL AS copy
     FROM usage u JOIN sessions s ON s.key = u.session WHERE u.response`,
    responses,
  );
  const order = (row: SqlRow) => [row.relayed, row.start_ms, row.copy, row.session].map(Number);
  const sorted = rows.map((row) => ({ row, by: order(row) })).sort((a, b) => compareLists(a.by, b.by));
  const holders = new Map<string, SqlRow[]>(responses.map((response) => [response, []]));
  for (const { row } of sorted) holders.get(String(row.response))?.push(row);
  return holders;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

/**
 * Unless more is known, a session that repeats another's responses is a fork if it has the same records, and a
 * continuation if it has other records with the same responses.
 */
async function linkContinuation(tx: Database, owner: number, later: readonly number[]): Promise<void> {
  for (const key of later) {
    await tx.run(
      `UPDATE sessions SET parent_id = (SELECT id FROM sessions WHERE key = ?), relation = CASE WHEN EXISTS (
           SELECT 1 FROM events e WHERE e.session = sessions.key AND e.hash <> 0
             AND e.hash IN (SELECT o.hash FROM events o WHERE o.session = ?)) THEN 'fork' ELSE 'continuation' END
       WHERE key = ? AND parent_id IS NULL AND copy_of IS NULL
         AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.key = ? AND o.copy_of = sessions.id)`,
      ...[owner, owner, key, owner],
    );
  }
}

async function updateTotal(tx: Database, key: number): Promise<void> {
  await tx.run('DELETE FROM usage_slots WHERE session = ?', key);
  await writeSlots(tx, 'u.session = ?', key);
  await tx.run(
    `UPDATE sessions SET total_tokens = (
       SELECT COALESCE(SUM(input + cached + cache_write + output + tool), 0) FROM usage_slots WHERE session = ?)
     WHERE key = ?`,
    ...[key, key],
  );
}

/**
 * If the agent keeps totals for a session and its subagents, the excess over the logged responses becomes a separate
 * row, so that the sum equals the agent's total.
 */
export async function addUnlogged(
  tx: Database,
  session: number,
  clientUsage: Readonly<Record<string, Usage>> | undefined,
): Promise<void> {
  const family = await tx.get(
    `WITH RECURSIVE up (key, parent_id, relation, client_usage) AS (
       SELECT key, parent_id, relation, client_usage FROM sessions WHERE key = ?
       UNION SELECT s.key, s.parent_id, s.relation, s.client_usage FROM sessions s
         JOIN up ON up.relation = 'subagent' AND s.id = up.parent_id)
     SELECT key, client_usage FROM up ORDER BY client_usage IS NULL LIMIT 1`,
    session,
  );
  const stored = typeof family?.client_usage === 'string' ? family.client_usage : undefined;
  if (family === undefined || (stored === undefined && clientUsage === undefined)) return;
  const key = Number(family.key);
  const totals = key === session && clientUsage !== undefined ? clientUsage : parseTotals(stored);
  await tx.run(`DELETE FROM usage WHERE session = ? AND response LIKE '${UNLOGGED}%'`, key);
  for (const [model, total] of Object.entries(totals)) {
    const logged = await tx.get(
      `WITH RECURSIVE family (key, id) AS (
         SELECT key, id FROM sessions WHERE key = ?
         UNION SELECT s.key, s.id FROM sessions s JOIN family f ON s.parent_id = f.id WHERE s.relation = 'subagent')
       SELECT COALESCE(SUM(input), 0) AS input, COALESCE(SUM(cached), 0) AS cached,
         COALESCE(SUM(cache_write), 0) AS "cacheWrite", COALESCE(SUM(cache_write_hour), 0) AS "cacheWriteHour",
         COALESCE(SUM(output), 0) AS output,
         COALESCE(SUM(reasoning), 0) AS reasoning,
         COALESCE(MAX(ms), (SELECT end_ms FROM sessions WHERE key = ?)) AS ms, MAX(event) AS event, MAX(turn) AS turn
       FROM usage WHERE (model = ? OR ? LIKE model || '%') AND session IN (SELECT key FROM family)
         AND (relayed = 0 OR owned = 1)`,
      ...[key, key, model, model],
    );
    const beyond = (name: keyof Usage) => Math.max(0, total[name] - Number(logged?.[name] ?? 0));
    const rest: Usage = {
      input: beyond('input'),
      cached: beyond('cached'),
      cacheWrite: beyond('cacheWrite'),
      cacheWriteHour: Math.min(beyond('cacheWrite'), beyond('cacheWriteHour')),
      output: beyond('output'),
      reasoning: beyond('reasoning'),
      tool: 0,
    };
    if (totalTokens(rest) === 0) continue;
    const at = {
      event: Number(logged?.event ?? 0),
      turn: Number(logged?.turn ?? -1),
      ms: Number(logged?.ms ?? 0),
    };
    const row = {
      ...at,
      response: `${UNLOGGED}${key}:${model}`,
      step: 0,
      model,
      usage: rest,
      lowerBound: false,
      relayed: false,
    };
    await writeUsage(tx, key, [row]);
  }
  await updateTotal(tx, key);
}

function parseTotals(stored: string | undefined): Readonly<Record<string, Usage>> {
  return stored === undefined ? {} : JSON.parse(stored);
}
