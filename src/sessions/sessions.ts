import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../contract/errors.ts';
import type { Database } from '../store/database.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import { openSqlite, openSqliteToRead } from '../store/sqlite.ts';
import { sessionAnalysis } from './analyze/session-analysis.ts';
import { archiveControl, archiveSetting } from './archive/archive-setting.ts';
import { idleReader, type LogReader, type ReaderEvents, startReader } from './ingest/log-reader.ts';
import { logReading } from './log-reading.ts';
import { PROVIDERS } from './providers/index.ts';
import { type LogFolder, logFolders } from './providers/log-files.ts';
import type { Provider } from './providers/provider.ts';
import { sessionSearch } from './search/session-search.ts';
import { editedFileStore } from './store/edited-files.ts';
import { eventStore } from './store/event-store.ts';
import { fileHistory } from './store/file-touches.ts';
import { sessionFinder } from './store/find-session.ts';
import { readRetention, retentionOf } from './store/retention.ts';
import { sessionChanges } from './store/session-changes.ts';
import { sessionList } from './store/session-list.ts';
import { SESSIONS_SCHEMA } from './store/sessions-schema.ts';
import { stepStore } from './store/step-store.ts';
import { agentRunStore, subagentStore } from './store/subagents.ts';
import { indexedTexts } from './store/texts.ts';
import { turnStore } from './store/turn-store.ts';
import { usageTotals } from './tokens/totals.ts';

const INDEX_FILE = 'sessions.db';
/** How long a question about tables waits for logs that are being read. */
const MAX_WAIT_MS = 5_000;

export interface SessionsDeps {
  /** The data folder; the index is `sessions.db` in it and can be dropped at any time. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly env?: NodeJS.ProcessEnv;
  /** The agents whose logs are read. */
  readonly providers?: readonly Provider[];
  /** Where logs are; the agents' own folders if not given. */
  readonly folders?: readonly LogFolder[];
  /** Keep logs after the agent has deleted them; `PINHOLE_ARCHIVE=1` or the setting in the data folder if not given. */
  readonly archive?: boolean;
  /** Follow the folders while open. */
  readonly watch?: boolean;
}

/** What operations ask about agent sessions. */
export type Sessions = ReturnType<typeof sessionsIn>;

/** Opens the index of sessions and begins to bring it up to date. */
export async function openSessions(deps: SessionsDeps): Promise<Sessions> {
  const file = join(deps.home, INDEX_FILE);
  return sessionsIn(
    await openIndex(file, deps.log),
    (events) => startReader(file, deps.providers ?? PROVIDERS, events),
    deps,
  );
}

/**
 * Opens the index that another process keeps up to date, without changing it. Undefined when there is no index, or one
 * of another version.
 */
export async function lookAtSessions(deps: SessionsDeps): Promise<Sessions | undefined> {
  const db = openSqliteToRead(join(deps.home, INDEX_FILE), SESSIONS_SCHEMA);
  return db && sessionsIn(db, idleReader, { ...deps, watch: false }, false);
}

function sessionsIn(
  db: Database,
  makeReader: (events: ReaderEvents) => LogReader,
  {
    home,
    log,
    now = Date.now,
    env = process.env,
    providers = PROVIDERS,
    watch = true,
    ...deps
  }: SessionsDeps,
  writable = true,
) {
  const folders = deps.folders ?? logFolders(providers, env);
  const forced = env.PINHOLE_ARCHIVE === '1' ? true : undefined;
  const setting = archiveSetting(home, deps.archive ?? forced);
  const reading = logReading(db, makeReader, { folders, archive: setting, log, watch });
  const list = sessionList(db, providers);
  const subagents = subagentStore(db, list);
  const agentRuns = agentRunStore(db, subagents);
  const turns = turnStore(db);
  const texts = indexedTexts(db);
  const events = eventStore(db, providers, texts);
  const usage = usageTotals(db, providers);
  const files = fileHistory(db, providers, events);
  const analysis = sessionAnalysis({ db, turns, usage, providers, writable });
  return {
    providers,
    list: { ...list, ...sessionFinder(db, reading.busy), subagents, agentRuns },
    turns: { ...turns, steps: stepStore(db, turns, events) },
    events,
    search: sessionSearch({ db, texts }),
    usage,
    files: { ...files, edited: editedFileStore(db), changes: sessionChanges(db, events, files) },
    analysis,
    archive: {
      ...archiveControl(db, setting, reading.scan),
      ...retentionOf(db, readRetention(providers, folders), now),
    },
    reading,
    /** The file that {@link SESSION_TABLES} read, once it is as fresh as can be in a few seconds. */
    async database(signal: AbortSignal, tables?: readonly string[]): Promise<SqlDatabase> {
      const { fresh, done = 0, total = 0 } = await reading.settled(MAX_WAIT_MS);
      signal.throwIfAborted();
      if (tables === undefined || tables.includes('findings')) await analysis.keep(signal);
      const share = Math.floor((100 * done) / Math.max(1, total));
      const incomplete = fresh ? undefined : `${share} % of the session logs are read so far.`;
      return { file: join(home, INDEX_FILE), incomplete };
    },
    async close(): Promise<void> {
      await reading.close();
      await db.close();
    },
  };
}

/** The index can be built again, so one that cannot be opened is deleted. */
async function openIndex(file: string, log: (line: string) => void): Promise<Database> {
  try {
    return await openSqlite(file, SESSIONS_SCHEMA);
  } catch (error) {
    log(`building the index of sessions again: ${errorText(error)}`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return openSqlite(file, SESSIONS_SCHEMA);
  }
}
