import type { Database, SqlValue } from '../../store/database.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { LogFile, LogFolder } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { writeSlots } from '../tokens/usage-slots.ts';
import { answeringFolders } from './answering-folders.ts';
import { allLogs, type FoundLog } from './plan-scan.ts';
import { projectHash, projectOf } from './project-of.ts';
import type { Archive } from './reader-messages.ts';
import { newSession } from './session-rows.ts';
import { applySideFacts } from './side-facts.ts';
import type { SkimmedLog } from './skim-log.ts';
import { raised, type TokenRow } from './token-rows.ts';
import { addUnlogged, USAGE_COLUMNS, usageValues } from './usage-rows.ts';

/** Records are garbage at once: collecting them rarely costs a tenth less. */
export const SKIM_LIMITS = { maxYoungGenerationSizeMb: 48 };

/** A log to skim. */
export interface SkimTask {
  readonly log: LogFile;
  readonly size: number;
  readonly origin?: LogFile | undefined;
  readonly whole?: boolean;
}

export interface TokenIndexDeps {
  readonly providers: readonly Provider[];
  readonly redact: (text: string) => string;
  /** Skims logs; leaves out those that cannot be read, in the order of the tasks. */
  readonly skim: (tasks: readonly SkimTask[]) => Promise<readonly (SkimmedLog | undefined)[]>;
}

/**
 * The tables `usage` and `sessions` in memory, as far as totals of tokens need them, with the same rows that the index
 * will have. What was skimmed of a log is kept until the log changes.
 */
export function tokenIndex({ providers, redact, skim }: TokenIndexDeps) {
  const known = new Map<
    string,
    { readonly stamp: string; readonly found: FoundLog; readonly log: SkimmedLog }
  >();
  let db: Database | undefined;

  /** Skims what changed since the last time; says whether anything did. */
  async function update(logs: readonly FoundLog[]): Promise<boolean> {
    const present = new Set(logs.map(({ log }) => log.path));
    const gone = [...known.keys()].filter((path) => !present.has(path));
    for (const path of gone) known.delete(path);
    const changed = logs.filter((found) => known.get(found.log.path)?.stamp !== stampOf(found));
    await skimAll(changed.map((found) => ({ found })));
    if (changed.length > 0 || gone.length > 0) await skimAll(again());
    return changed.length > 0 || gone.length > 0;
  }

  async function skimAll(
    tasks: readonly { found: FoundLog; origin?: LogFile; whole?: boolean }[],
  ): Promise<void> {
    const logs = await skim(
      tasks.map(({ found, ...rest }) => ({ log: found.log, size: found.stats.size, ...rest })),
    );
    for (const [index, { found }] of tasks.entries()) {
      const log = logs[index];
      if (log !== undefined) known.set(found.log.path, { stamp: stampOf(found), found, log });
    }
  }

  /** Logs that need another look: copies of a session that only their lengths can rank, and forks of a known session. */
  function again(): { found: FoundLog; origin?: LogFile; whole?: boolean }[] {
    const byId = new Map<string, FoundLog>();
    const ends = new Map<string, number>();
    const endOf = ({ id, archived, endMs }: SkimmedLog) => `${id} ${archived} ${endMs}`;
    for (const { log, found } of known.values()) {
      byId.set(log.id, found);
      ends.set(endOf(log), (ends.get(endOf(log)) ?? 0) + 1);
    }
    return [...known.values()].flatMap(({ log, found }) => {
      const origin = log.copiedFrom === undefined ? undefined : byId.get(log.copiedFrom)?.log;
      const whole = (ends.get(endOf(log)) ?? 0) > 1 && !log.whole;
      return (origin === undefined || origin.path === found.log.path) && !whole
        ? []
        : [{ found, whole, ...(origin === undefined ? {} : { origin }) }];
    });
  }

  async function build(folders: readonly LogFolder[]): Promise<Database> {
    const fresh = await openSqlite(':memory:', SESSIONS_SCHEMA);
    await fresh.run('DROP INDEX usage_response');
    const logs = [...known.values()].map(({ log }) => log);
    await fresh.transaction(async (tx) => {
      const keys = await writeSessions(tx, logs);
      await writeResponses(tx, logs, keys);
      await writeSlots(tx);
    });
    await applySideFacts(fresh, providers, folders, redact, () => {});
    await fresh.transaction(async (tx) => {
      const rows = await tx.all('SELECT key FROM sessions WHERE client_usage IS NOT NULL');
      for (const { key } of rows) await addUnlogged(tx, Number(key), undefined);
    });
    return fresh;
  }

  return {
    /** The tables, up to date with the logs. */
    async tables(all: readonly LogFolder[], archive: Archive): Promise<Database> {
      const folders = await answeringFolders(all, () => {});
      const changed = await update(allLogs(providers, folders, archive));
      if (db !== undefined && !changed) return db;
      await db?.close();
      db = await build(folders);
      return db;
    },
    async close(): Promise<void> {
      await db?.close();
    },
  };
}

function stampOf({ stats }: FoundLog): string {
  return `${stats.size} ${stats.mtimeMs}`;
}

/** Writes the rows of the sessions; the keys have the order of the logs. */
async function writeSessions(tx: Database, logs: readonly SkimmedLog[]): Promise<readonly number[]> {
  const times = new Map<string, number>();
  for (const { id } of logs) times.set(id, (times.get(id) ?? 0) + 1);
  const keys: number[] = [];
  for (const log of logs) {
    const { id, named, provider, archived } = log;
    // An id of two logs is given to one of them by the same rules as in the index.
    const facts = { id: named ? id : undefined };
    const key =
      times.get(id) === 1
        ? (await tx.run(INSERT_SESSION, id, provider)).id
        : await newSession(
            tx,
            id,
            { id: undefined, provider, archived },
            { facts, ms: log.endMs, snippet: log.snippet, events: log.events },
          );
    const project = log.cwd === undefined ? undefined : projectOf(log.cwd);
    await tx.run(
      UPDATE_SESSION,
      ...[project === undefined ? (log.projectHash ?? null) : projectHash(project), project ?? null],
      ...[log.cwd ?? null, log.title ?? null, log.snippet, log.parentId ?? null, log.relation ?? null],
      ...[log.startMs, log.endMs, log.events],
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
    parent_id = ?, relation = ?, start_ms = ?, end_ms = ?, events = ?, client_usage = ? WHERE key = ?`;
const INSERT_FILE = `INSERT INTO files (path, provider, session, size, mtime, consumed, head, tail, archived)
  VALUES (?, ?, ?, 0, 0, 0, '', '', ?)`;

interface Holder {
  readonly key: number;
  readonly startMs: number;
  row: TokenRow;
  owned: boolean;
}

/** Writes all responses; each belongs to the earliest session that has it, or reports it if none has it. */
async function writeResponses(
  tx: Database,
  logs: readonly SkimmedLog[],
  keys: readonly number[],
): Promise<void> {
  const copies = new Set(
    (await tx.all('SELECT key FROM sessions WHERE copy_of IS NOT NULL')).map((row) => Number(row.key)),
  );
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
  await tx.batch(
    `INSERT INTO usage (${USAGE_COLUMNS}, owned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    usageRows(holders),
  );
}

function* usageRows(holders: readonly Holder[]): Generator<readonly SqlValue[]> {
  for (const { key, row, owned } of holders) {
    const [response, ms, model, usage, lowerBound, relayed] = row;
    const place = { event: 0, turn: -1, step: 0 };
    yield [...usageValues(key, { ...place, response, ms, model, usage, lowerBound, relayed }), owned ? 1 : 0];
  }
}
