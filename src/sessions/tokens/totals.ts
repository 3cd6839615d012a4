import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { localTimeSql } from '../../store/local-time-sql.ts';
import { providerWith } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { projectCondition } from '../search/candidates.ts';
import { int, type SessionRow, str } from '../store/session-row.ts';
import type { OwnPrices } from './own-prices.ts';
import { addUp, PROMPT, SUMS, type TokenTotal } from './token-total.ts';
import { type Unrecorded, unrecordedIn } from './unrecorded.ts';
import { SUMS_OF_SLOTS, slotsBetween } from './usage-slots.ts';

/** Tokens of a session's turns, by turn index. */
export async function usageByTurns(
  db: Database,
  session: number,
  first: number,
  last: number,
  prices: OwnPrices,
): Promise<ReadonlyMap<number, TokenTotal>> {
  const rows = await db.all(
    `SELECT u.turn, u.model, ${PROMPT} AS prompt, ${SUMS} FROM usage u
     WHERE u.session = ? AND u.turn BETWEEN ? AND ? AND u.owned = 1 GROUP BY u.turn, u.model, prompt`,
    ...[session, first, last],
  );
  return new Map(
    [...grouped(rows, 'turn')].map(([turn, members]) => [Number(turn), addUp(members, prices.table())]),
  );
}

/** Tokens of a turn's steps, by step index. */
export async function usageBySteps(
  db: Database,
  session: number,
  turn: number,
  prices: OwnPrices,
): Promise<ReadonlyMap<number, TokenTotal>> {
  const rows = await db.all(
    `SELECT u.step, u.model, ${PROMPT} AS prompt, ${SUMS} FROM usage u
     WHERE u.session = ? AND u.turn = ? AND u.owned = 1 GROUP BY u.step, u.model, prompt`,
    ...[session, turn],
  );
  return new Map(
    [...grouped(rows, 'step')].map(([step, members]) => [Number(step), addUp(members, prices.table())]),
  );
}

function grouped(rows: readonly SqlRow[], column: string): ReadonlyMap<string, readonly SqlRow[]> {
  const groups = new Map<string, SqlRow[]>();
  for (const row of rows) {
    const name = String(row[column] ?? '');
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [row]);
    else known.push(row);
  }
  return groups;
}

export const USAGE_GROUPS = [
  'day',
  'week',
  'month',
  'project',
  'model',
  'agent',
  'session',
  'machine',
  'person',
] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageLine extends TokenTotal {
  readonly group: string;
  readonly unrecorded: readonly Unrecorded[];
  /** The title of a session, else the beginning of its first prompt. */
  readonly title?: string | undefined;
  /** The same tokens by the second grouping, if there is one. */
  readonly parts?: readonly UsageLine[] | undefined;
}

/** SQL for the name of the group that a response belongs to; days are those of the time zone. */
function groupSql(group: UsageGroup, zone: string): string {
  const time = localTimeSql(zone)('u.ms');
  const names: Readonly<Record<UsageGroup, string>> = {
    day: `date(${time})`,
    // The Monday on or before the day.
    week: `date(${time}, '-6 days', 'weekday 1')`,
    month: `strftime('%Y-%m', ${time})`,
    project: `COALESCE(s.project_path, s.project_hash, 'unknown')`,
    model: `COALESCE(u.model, 'unknown')`,
    agent: 's.provider',
    session: 's.id',
    machine: `COALESCE(s.machine, 'this machine')`,
    person: `COALESCE(s.person, 'unknown')`,
  };
  return names[group];
}

export interface UsageFilter {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly provider?: string | undefined;
  /** On a team server: where it ran, and whose it is. */
  readonly machine?: string | undefined;
  readonly person?: string | undefined;
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  /** A second grouping, within each group. */
  readonly split?: UsageGroup | undefined;
}

/** How many sessions of an agent there are. */
export interface SessionsOfAgent {
  readonly agent: string;
  readonly sessions: number;
}

/** SQL for the sessions `s` that a filter names, whenever they ran and whatever model answered. */
function scopeOf({ provider, machine, person, project }: UsageFilter) {
  const conditions = ['TRUE'];
  const params: SqlValue[] = [];
  const narrow = (condition: string, ...values: readonly (SqlValue | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    if (known.length < values.length) return;
    conditions.push(condition);
    params.push(...known);
  };
  narrow('s.provider = ?', provider);
  narrow('s.machine = ?', machine);
  narrow('s.person = ?', person);
  if (project !== undefined) narrow(...projectCondition(project));
  return { sql: conditions.join(' AND '), params };
}

export type UsageTotals = ReturnType<typeof usageTotals>;

/** What `usage` answers with. */
export interface UsageFound {
  readonly lines: readonly UsageLine[];
  readonly withoutTokens: readonly SessionsOfAgent[];
}

/** Tokens and what they cost; each response counts once in the whole index. */
export function usageTotals(db: Database, providers: readonly Provider[], prices: OwnPrices) {
  const totals = {
    /** The smallest context window that the agent offers and the session fits in, where the log does not name one. */
    assumedWindow: ({ provider, contextTokens }: SessionRow): number | undefined =>
      providerWith(providers, provider)?.contextWindows?.find((size) => contextTokens <= size),

    /** Tokens of a session and of the copies of its log. */
    async ofSession(
      session: SessionRow,
    ): Promise<TokenTotal & { readonly unrecorded: readonly Unrecorded[] }> {
      const rows = await db.all(
        `SELECT u.model, u.prompt, ${SUMS_OF_SLOTS} FROM usage_slots u JOIN sessions s ON s.key = u.session
         WHERE s.id = ? OR s.copy_of = ? GROUP BY u.model, u.prompt`,
        ...[session.id, session.id],
      );
      const ofAgent = rows.map((row) => ({ ...row, provider: session.provider }));
      return { ...addUp(rows, prices.table()), unrecorded: unrecordedIn(ofAgent, providers) };
    },

    /** Tokens of a session and of the copies of its log, step by step; they add up to the session's total. */
    async bySteps(
      session: SessionRow,
    ): Promise<readonly { turn: number; step: number; tokens: number; cost: number | undefined }[]> {
      const rows = await db.all(
        `SELECT u.turn, u.step, u.model, ${PROMPT} AS prompt, ${SUMS} FROM usage u JOIN sessions s ON s.key = u.session
         WHERE u.owned = 1 AND (s.id = ? OR s.copy_of = ?) GROUP BY u.turn, u.step, u.model, prompt ORDER BY u.turn, u.step`,
        ...[session.id, session.id],
      );
      return rows.map((row) => {
        const { total, cost, unpriced } = addUp([row], prices.table());
        const priced = unpriced.length === 0 ? cost : undefined;
        return { turn: int(row.turn), step: int(row.step), tokens: total, cost: priced };
      });
    },

    /** What each session cost, including the copies of its log, as far as its models have a price. */
    async costs(): Promise<ReadonlyMap<string, number>> {
      const rows = await db.all(
        `SELECT COALESCE(s.copy_of, s.id) AS id, u.model, u.prompt, ${SUMS_OF_SLOTS}
         FROM usage_slots u JOIN sessions s ON s.key = u.session GROUP BY 1, u.model, u.prompt`,
      );
      const costs = new Map<string, number>();
      for (const row of rows) {
        const { cost, unpriced } = addUp([row], prices.table());
        if (unpriced.length === 0) costs.set(str(row.id), (costs.get(str(row.id)) ?? 0) + cost);
      }
      return costs;
    },

    /** The models that sessions used. */
    async models(): Promise<readonly string[]> {
      const rows = await db.all(`SELECT DISTINCT ${groupSql('model', 'UTC')} AS model FROM usage_slots u`);
      return rows.map((row) => str(row.model)).sort();
    },

    /** Responses in a session's log that belong to an earlier session. */
    async countedElsewhere(session: SessionRow): Promise<{ responses: number; tokens: number }> {
      const row = await db.get(
        `SELECT COUNT(*) AS n, COALESCE(SUM(input + cached + cache_write + output + tool), 0) AS tokens FROM usage
         WHERE session = ? AND owned = 0 AND relayed = 0`,
        session.key,
      );
      return { responses: int(row?.n), tokens: int(row?.tokens) };
    },

    /**
     * Sessions in which the model answered and whose logs have no tokens, by agent. The list is empty if the filter
     * names a model, because these logs do not always say which one answered.
     */
    async withoutTokens(filter: UsageFilter): Promise<readonly SessionsOfAgent[]> {
      if (filter.model !== undefined) return [];
      const { sql, params } = scopeOf(filter);
      const rows = await db.all(
        `SELECT s.provider, COUNT(*) AS n FROM sessions s
         WHERE s.copy_of IS NULL AND COALESCE(s.relation, '') <> 'subagent' AND s.steps > 0 AND s.context_tokens = 0
           AND s.client_usage IS NULL AND NOT EXISTS (SELECT 1 FROM usage_slots u WHERE u.session = s.key)
           AND s.end_ms >= ? AND s.start_ms <= ? AND ${sql} GROUP BY s.provider ORDER BY n DESC, s.provider`,
        ...[filter.sinceMs ?? 0, filter.untilMs ?? Number.MAX_SAFE_INTEGER, ...params],
      );
      return rows.map((row) => ({ agent: str(row.provider), sessions: int(row.n) }));
    },

    /** Tokens of the whole index by day, week, month, project, model, agent or session. */
    async by(group: UsageGroup, zone: string, filter: UsageFilter): Promise<readonly UsageLine[]> {
      const [slots, ...times] = slotsBetween(filter.sinceMs, filter.untilMs);
      const scope = scopeOf(filter);
      const { split } = filter;
      const rows = await db.all(
        `SELECT ${groupSql(group, zone)} AS grp, ${split === undefined ? "''" : groupSql(split, zone)} AS part,
           MAX(COALESCE(s.title, s.snippet)) AS title, s.provider, u.model, u.prompt, ${SUMS_OF_SLOTS}
         FROM (${slots}) u JOIN sessions s ON s.key = u.session
         WHERE ${scope.sql} AND ${filter.model === undefined ? 'TRUE' : `${groupSql('model', zone)} = ?`}
         GROUP BY grp, part, s.provider, u.model, u.prompt`,
        ...[...times, ...scope.params, ...(filter.model === undefined ? [] : [filter.model])],
      );
      const lines = [...grouped(rows, 'grp')].map(([name, members]) => ({
        group: name,
        ...addUp(members, prices.table()),
        unrecorded: unrecordedIn(members, providers),
        ...(group === 'session' && { title: str(members[0]?.title) || undefined }),
        ...(split !== undefined && {
          parts: [...grouped(members, 'part')]
            .map(([part, own]) => ({
              group: part,
              ...addUp(own, prices.table()),
              unrecorded: unrecordedIn(own, providers),
            }))
            .sort((a, b) => b.total - a.total || (a.group < b.group ? -1 : 1)),
        }),
      }));
      return group === 'day' || group === 'week' || group === 'month'
        ? lines.sort((a, b) => (a.group < b.group ? 1 : -1))
        : lines.sort((a, b) => b.total - a.total || (a.group < b.group ? -1 : 1));
    },
  };
  return {
    ...totals,
    find: async (group: UsageGroup, zone: string, filter: UsageFilter): Promise<UsageFound> => ({
      lines: await totals.by(group, zone, filter),
      withoutTokens: await totals.withoutTokens(filter),
    }),
  };
}
