import type { AuditEntry, AuditLog, CallGlance } from '../contract/audit-log.ts';
import type { Database } from './database.ts';

const MAX_ROWS = 200_000;
const FLUSH_MS = 500;
/** Calls waiting to be written to the database. */
const MAX_WAITING_CALLS = 10_000;
/** Calls whose subject is kept in memory, the newest ones. */
const MAX_GLANCES = 2_000;

/** Includes what the call was about, as long as that is in memory. */
export interface AuditRow extends AuditEntry, Partial<CallGlance> {
  readonly id: number;
}

export interface OperationStats {
  readonly operation: string;
  readonly calls: number;
  readonly errors: number;
  readonly paged: number;
  readonly bytes_out: number;
  readonly tokens: number;
  readonly ms_average: number;
  readonly ms_max: number;
}

/** Which requests to return; all of them if empty. */
export interface AuditFilter {
  readonly operation?: string | undefined;
  readonly who?: Who | undefined;
  /** Only calls with the token of this name. */
  readonly holder?: string | undefined;
}

/** Agents and programs use MCP and REST; people use the page and the command line. */
const DOORS = { agents: ['mcp', 'rest'], people: ['page', 'cli'] } as const;
export const WHO = ['agents', 'people'] as const;
export type Who = (typeof WHO)[number];

function condition({ operation, who, holder }: AuditFilter): {
  readonly sql: string;
  readonly values: string[];
} {
  const tests: readonly (readonly [sql: string, values: readonly string[]])[] = [
    ...(operation === undefined ? [] : [['operation = ?', [operation]] as const]),
    ...(who === undefined ? [] : [['door IN (?, ?)', DOORS[who]] as const]),
    ...(holder === undefined ? [] : [['instr(client, ?) = 1', [`${holder}: `]] as const]),
  ];
  return {
    sql: tests.map(([sql]) => ` AND ${sql}`).join(''),
    values: tests.flatMap(([, values]) => values),
  };
}

/** The audit in the database: written in batches, read newest first. */
export interface AuditStore extends AuditLog {
  newest(before: number | undefined, limit: number, only?: AuditFilter): Promise<AuditRow[]>;
  stats(since: number, only?: AuditFilter): Promise<OperationStats[]>;
  flush(): Promise<void>;
}

export function databaseAudit(db: Database): AuditStore {
  let waiting: AuditEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  const glances = new Map<string, CallGlance>();
  const keyOf = ({ at, client, operation }: AuditEntry) => `${at} ${client} ${operation}`;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    const kept = db.batch(
      `INSERT INTO audit (at, client, door, operation, bytes_in, bytes_out, tokens, ms, outcome, paged)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entries.map((e) => [
        ...[e.at, e.client, e.door, e.operation, e.bytes_in, e.bytes_out, e.tokens, e.ms, e.outcome],
        e.paged ? 1 : 0,
      ]),
    );
    await kept.catch((error: unknown) => {
      // If the database cannot be reached now, the newest entries are written later.
      waiting = [...entries, ...waiting].slice(-MAX_WAITING_CALLS);
      throw error;
    });
    await db.run('DELETE FROM audit WHERE id <= (SELECT MAX(id) FROM audit) - ?', MAX_ROWS);
  };
  return {
    record(entry, glance) {
      waiting.push(entry);
      if (glance !== undefined) glances.set(keyOf(entry), glance);
      const oldest = glances.keys().next().value;
      if (glances.size > MAX_GLANCES && oldest !== undefined) glances.delete(oldest);
      timer ??= setTimeout(() => void flush().catch(() => {}), FLUSH_MS).unref();
    },
    flush,
    async newest(before, limit, only = {}) {
      await flush();
      const { sql, values } = condition(only);
      const rows = await db.all(
        `SELECT * FROM audit WHERE id < ?${sql} ORDER BY id DESC LIMIT ?`,
        ...[before ?? Number.MAX_SAFE_INTEGER, ...values, limit],
      );
      const known = rows.map((row) => ({
        id: Number(row.id),
        at: Number(row.at),
        client: String(row.client),
        door: String(row.door),
        operation: String(row.operation),
        bytes_in: Number(row.bytes_in),
        bytes_out: Number(row.bytes_out),
        tokens: Number(row.tokens),
        ms: Number(row.ms),
        // Only record() fills this column.
        outcome: String(row.outcome) as AuditEntry['outcome'],
        paged: Number(row.paged) === 1,
      }));
      return known.map((row) => ({ ...row, ...glances.get(keyOf(row)) }));
    },
    async stats(since, only = {}) {
      await flush();
      const { sql, values } = condition(only);
      const rows = await db.all(
        `SELECT operation, COUNT(*) AS calls, SUM(CASE WHEN outcome IN ('ok', 'cancelled') THEN 0 ELSE 1 END) AS errors,
           SUM(paged) AS paged, SUM(bytes_out) AS bytes_out, SUM(tokens) AS tokens,
           AVG(ms) AS ms_average, MAX(ms) AS ms_max
         FROM audit WHERE at >= ?${sql} GROUP BY operation ORDER BY calls DESC, operation`,
        ...[since, ...values],
      );
      return rows.map((row) => ({
        operation: String(row.operation),
        calls: Number(row.calls),
        errors: Number(row.errors),
        paged: Number(row.paged),
        bytes_out: Number(row.bytes_out),
        tokens: Number(row.tokens),
        ms_average: Math.round(Number(row.ms_average) * 10) / 10,
        ms_max: Number(row.ms_max),
      }));
    },
  };
}
