import type { Database } from '../../store/database.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { LogFile, LogFolder } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import type { UsageFilter, UsageGroup } from '../tokens/totals.ts';
import { cutsSlots } from '../tokens/usage-slots.ts';
import { answeringFolders } from './answering-folders.ts';
import { allLogs, type FoundLog } from './plan-scan.ts';
import type { Archive } from './reader-messages.ts';
import { applySideFacts } from './side-facts.ts';
import type { SkimDepth, SkimmedLog } from './skimmed-log.ts';
import { writeResponses, writeSessions } from './token-tables.ts';
import { addUnlogged } from './usage-rows.ts';

/** Records become garbage right away: collecting less often saves a tenth of the time. */
export const SKIM_LIMITS = { maxYoungGenerationSizeMb: 48 };

/** A log to skim. */
export interface SkimTask {
  readonly log: LogFile;
  readonly size: number;
  readonly origin?: LogFile | undefined;
  readonly depth: SkimDepth;
}

export interface TokenIndexDeps {
  readonly providers: readonly Provider[];
  readonly redact: (text: string) => string;
  /** Skims logs; leaves out those that cannot be read, in the order of the tasks. */
  readonly skim: (tasks: readonly SkimTask[]) => Promise<readonly (SkimmedLog | undefined)[]>;
}

/** What a query needs besides sums. */
export interface Question {
  /** Titles and first prompts of sessions. */
  readonly texts: boolean;
  /** Every response: the query covers only part of a quarter of an hour. */
  readonly responses: boolean;
}

export function questionOf(group: UsageGroup, { split, sinceMs, untilMs }: UsageFilter): Question {
  return { texts: group === 'session' || split === 'session', responses: cutsSlots(sinceMs, untilMs) };
}

interface FoundTask {
  readonly found: FoundLog;
  readonly origin?: LogFile | undefined;
  readonly depth: SkimDepth;
}

/**
 * The tables `usage_slots` and `sessions` in memory, as far as token totals need them, with the same rows that the
 * index will have. What was skimmed from a log is kept until the log changes.
 */
export function tokenIndex({ providers, redact, skim }: TokenIndexDeps) {
  const known = new Map<
    string,
    { readonly stamp: string; readonly found: FoundLog; readonly log: SkimmedLog }
  >();
  let db: Database | undefined;
  /** The tables have every response, not only sums per quarter of an hour. */
  let hasResponses = false;

  /** Skims what changed since the last time, with titles and first prompts if `texts`; returns whether anything did. */
  async function update(logs: readonly FoundLog[], texts: boolean): Promise<boolean> {
    const present = new Set(logs.map(({ log }) => log.path));
    const gone = [...known.keys()].filter((path) => !present.has(path));
    for (const path of gone) known.delete(path);
    const changed = logs.filter((found) => {
      const before = known.get(found.log.path);
      return before?.stamp !== stampOf(found) || (texts && before.log.depth === 'tokens');
    });
    await skimAll(changed.map((found) => ({ found, depth: texts ? 'texts' : 'tokens' })));
    if (changed.length > 0 || gone.length > 0) await skimAll(again());
    return changed.length > 0 || gone.length > 0;
  }

  async function skimAll(tasks: readonly FoundTask[]): Promise<void> {
    const logs = await skim(
      tasks.map(({ found, ...rest }) => ({ log: found.log, size: found.stats.size, ...rest })),
    );
    for (const [index, { found }] of tasks.entries()) {
      const log = logs[index];
      const before = known.get(found.log.path)?.log;
      if (log === undefined) continue;
      const all = log.depth === 'prompt' && before ? { ...before, snippet: log.snippet } : log;
      known.set(found.log.path, { stamp: stampOf(found), found, log: all });
    }
  }

  /** Logs that need another look: copies of a session, which have to be ranked, and forks of a known session. */
  function again(): FoundTask[] {
    const byId = new Map<string, FoundLog>();
    const times = new Map<string, number>();
    const endOf = ({ id, archived, endMs }: SkimmedLog) => `${id} ${archived} ${endMs}`;
    const add = (key: string) => times.set(key, (times.get(key) ?? 0) + 1);
    for (const { log, found } of known.values()) {
      byId.set(log.id, found);
      add(log.id);
      add(endOf(log));
    }
    const isShared = (key: string) => (times.get(key) ?? 0) > 1;
    return [...known.values()].flatMap(({ log, found }): FoundTask[] => {
      const origin = log.copiedFrom === undefined ? undefined : byId.get(log.copiedFrom)?.log;
      const isFork = origin !== undefined && origin.path !== found.log.path;
      // Copies with the same end time can only be ranked by their lengths.
      const whole = isShared(endOf(log)) && !log.whole;
      if (isFork || whole)
        return [{ found, depth: whole ? 'whole' : 'texts', ...(isFork ? { origin } : {}) }];
      return isShared(log.id) && log.snippet === undefined ? [{ found, depth: 'prompt' }] : [];
    });
  }

  async function build(folders: readonly LogFolder[], everyResponse: boolean): Promise<Database> {
    const fresh = await openSqlite(':memory:', SESSIONS_SCHEMA);
    const logs = [...known.values()].map(({ log }) => log);
    await fresh.transaction(async (tx) => {
      const keys = await writeSessions(tx, logs);
      await applySideFacts(tx, providers, folders, redact, () => {});
      await writeResponses(tx, logs, keys, everyResponse);
      const rows = await tx.all('SELECT key FROM sessions WHERE client_usage IS NOT NULL');
      for (const { key } of rows) await addUnlogged(tx, Number(key), undefined);
    });
    return fresh;
  }

  return {
    /** The tables, up to date with the logs, as far as the query needs them. */
    async tables(all: readonly LogFolder[], archive: Archive, question: Question): Promise<Database> {
      const folders = await answeringFolders(all, () => {});
      const changed = await update(allLogs(providers, folders, archive), question.texts);
      if (db !== undefined && !changed && (hasResponses || !question.responses)) return db;
      await db?.close();
      hasResponses = question.responses;
      db = await build(folders, hasResponses);
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
