import { join } from 'node:path';
import { Lru } from '../contract/lru.ts';
import { createRoots } from '../contract/roots.ts';
import type { Database } from '../store/database.ts';
import { openRebuildable } from '../store/rebuildable-database.ts';
import { openSqliteToRead } from '../store/sqlite.ts';
import { archiveSetting } from './archive/archive-setting.ts';
import { idleReader, type LogReader, type ReaderEvents, startReader } from './ingest/log-reader.ts';
import { type LogReading, logReading } from './log-reading.ts';
import { PROVIDERS } from './providers/index.ts';
import { type LogFolder, logFolders } from './providers/log-files.ts';
import type { Provider } from './providers/provider.ts';
import { partsOver, type SessionParts } from './session-parts.ts';
import type { StoredRecords } from './store/event-store.ts';
import { indexHealth } from './store/index-health.ts';
import { readRetention } from './store/retention.ts';
import { type SessionMarks, sessionMarks } from './store/session-marks.ts';
import { scopeOfConnection } from './store/session-scope.ts';
import { SESSIONS_SCHEMA } from './store/sessions-schema.ts';
import { type OwnPrices, ownPrices, type SetPrices } from './tokens/own-prices.ts';
import { tokensFirst } from './tokens/tokens-first.ts';
import { visibleChanges } from './visible-changes.ts';

const INDEX_FILE = 'sessions.db';
/** How many callers with different folders have their views kept open. */
const MAX_SCOPES = 16;

export interface SessionsDeps {
  /** The data folder; the index is `sessions.db` in it and can be deleted at any time. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly env?: NodeJS.ProcessEnv;
  /** The agents whose logs are read. */
  readonly providers?: readonly Provider[];
  /** Where logs are; by default, the agents' own folders. */
  readonly folders?: readonly LogFolder[];
  /**
   * Keep logs after the agent has deleted them; by default as `PINHOLE_ARCHIVE=1` or the setting in the data folder
   * says.
   */
  readonly archive?: boolean;
  /** Watch the folders while open. */
  readonly watch?: boolean;
}

/** Everything that operations use about agent sessions. */
export interface Sessions extends SessionParts {
  /** The same for a caller who may only see the sessions of these folders. */
  within(folders: readonly string[]): Promise<Sessions>;
  close(): Promise<void>;
}

/** Opens the index of sessions and starts to bring it up to date. */
export async function openSessions(deps: SessionsDeps): Promise<Sessions> {
  const file = join(deps.home, INDEX_FILE);
  return sessionsIn(
    await openRebuildable(file, SESSIONS_SCHEMA, deps.log),
    (events) => startReader(file, deps.providers ?? PROVIDERS, events),
    deps,
  );
}

/**
 * Opens the index that another process keeps up to date, without changing it. Undefined if there is no index, or only
 * one of another version.
 */
export async function lookAtSessions(deps: SessionsDeps): Promise<Sessions | undefined> {
  const db = openSqliteToRead(join(deps.home, INDEX_FILE), SESSIONS_SCHEMA);
  return db && sessionsIn(db, idleReader, { ...deps, watch: false }, false);
}

/** The source of sessions on a server for several machines. */
export interface SharedSessions {
  readonly db: Database;
  /** The same database as seen by a caller who may only see some projects. */
  readonly seeing: (projects: readonly string[]) => Promise<Database>;
  readonly records: StoredRecords;
  readonly marks: SessionMarks;
  readonly prices: OwnPrices & SetPrices;
  /** Calls back with the sessions that changed. */
  readonly listen: (changed: (keys: readonly number[]) => void) => void;
}

/** Sessions that other machines sent: nothing is read from this machine's disk. */
export function sharedSessions(
  { db, seeing, records, marks, prices, listen }: SharedSessions,
  { home, log, now = Date.now, providers = PROVIDERS }: SessionsDeps,
): Sessions {
  const archive = archiveSetting(home, false);
  const makeReader = (events: ReaderEvents) => {
    listen(events.changed);
    return idleReader();
  };
  const reading = logReading(db, makeReader, { folders: [], archive, log, watch: false });
  const common = {
    providers,
    setting: archive,
    prices,
    marks,
    rules: [],
    now,
    file: undefined,
    records,
  };
  const all = partsOver(db, {
    ...common,
    reading,
    writable: true,
    keepFindings: (signal) => all.analysis.keep(signal),
  });
  async function within(projects: readonly string[]): Promise<Sessions> {
    const views = await seeing(projects);
    const parts = partsOver(views, {
      ...common,
      reading: readingWithin(views, reading),
      writable: false,
      keepFindings: all.analysis.keep,
      within: projects,
    });
    return { ...parts, within, close };
  }
  async function close(): Promise<void> {
    await reading.close();
    await db.close();
  }
  return { ...all, within, close };
}

function sessionsIn(
  db: Database,
  makeReader: (events: ReaderEvents) => LogReader,
  deps: SessionsDeps,
  writable = true,
): Sessions {
  const { home, log, now = Date.now, env = process.env, providers = PROVIDERS, watch = true } = deps;
  const folders = deps.folders ?? logFolders(providers, env);
  const forced = env.PINHOLE_ARCHIVE === '1' ? true : undefined;
  const setting = archiveSetting(home, deps.archive ?? forced);
  const file = join(home, INDEX_FILE);
  const rules = readRetention(providers, folders);
  const reading = logReading(db, makeReader, { folders, archive: setting, log, watch });
  const prices = ownPrices(home);
  const marks = sessionMarks(home);
  const tokens = tokensFirst(providers, folders, setting.state, prices);
  const all = partsOver(db, {
    providers,
    setting,
    prices,
    marks,
    rules,
    now,
    file,
    reading,
    // A caller who may not see everything only gets totals from the index.
    tokens: writable ? tokens : undefined,
    writable,
    keepFindings: (signal) => all.analysis.keep(signal),
  });
  const scoped = new Lru<string, { readonly db: Database; readonly parts: SessionParts }>({
    most: MAX_SCOPES,
    dropped: (old) => void old.db.close(),
  });

  /**
   * Sessions for a caller who may only see those of these folders: everything is read through views limited to them.
   */
  async function within(named: readonly string[]): Promise<Sessions> {
    const places = [...new Set([...named, ...(await createRoots(named)).folders])].toSorted();
    const key = JSON.stringify(places);
    const known = scoped.get(key);
    if (known !== undefined) return { ...known.parts, within, close };
    const views = openSqliteToRead(file, SESSIONS_SCHEMA, scopeOfConnection(places));
    if (views === undefined) throw new Error('the index of sessions cannot be read');
    const parts = partsOver(views, {
      providers,
      setting,
      prices,
      marks,
      rules,
      now,
      file,
      reading: readingWithin(views, reading),
      writable: false,
      keepFindings: all.analysis.keep,
      within: places,
    });
    scoped.set(key, { db: views, parts });
    return { ...parts, within, close };
  }

  async function close(): Promise<void> {
    await Promise.all([reading.close(), tokens.close()]);
    for (const key of [...scoped.keys()]) scoped.delete(key);
    await db.close();
  }
  return { ...all, within, close };
}

/** The paths of unreadable or shrunk logs, and the reasons, may belong to any project. */
function readingWithin(views: Database, reading: LogReading): LogReading {
  return {
    ...reading,
    unreadable: () => [],
    shrunk: () => [],
    health: indexHealth(views),
    onChange: visibleChanges(views, reading.onChange),
  };
}
