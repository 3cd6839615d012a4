import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../contract/errors.ts';
import type { Database } from '../store/database.ts';
import { openSqlite, openSqliteToRead } from '../store/sqlite.ts';
import { type Analysis, type AnalysisOptions, analyze } from './analyze/analyze.ts';
import { gatherFigures, type SessionFigures } from './analyze/facts.ts';
import { archiveSetting } from './archive/setting.ts';
import { followSession, type SessionChange } from './follow.ts';
import { idleReader, type LogReader, type ReaderEvents, startReader } from './ingest/reader.ts';
import { type Live, watchLogs } from './live.ts';
import { type LogFolder, logFolders } from './providers/find.ts';
import type { SearchScope } from './search/candidates.ts';
import { isLong, searchLong } from './search/long-query.ts';
import { lineMatcher, regexMatcher, substringMatcher } from './search/matcher.ts';
import { type Hit, type SearchWork, searchEvents } from './search/search.ts';
import { type Health, indexHealth, keptSize } from './store/doctor.ts';
import * as events from './store/event-store.ts';
import * as history from './store/file-history.ts';
import { findSession, shortId, shortIdOf } from './store/find-session.ts';
import { expiresAt, expiringSoon, type Retention, readRetention } from './store/retention.ts';
import type { SessionRow } from './store/rows.ts';
import { SESSIONS_SCHEMA } from './store/schema.ts';
import * as lists from './store/session-list.ts';
import { type Step, stepsOf } from './store/step-store.ts';
import { type Subagent, subagentsOf } from './store/subagents.ts';
import { indexedTexts } from './store/texts.ts';
import { type Timeline, timelineOf } from './store/timeline.ts';
import { lastEventOf, type TurnSummary, turnAt, turnsAfter } from './store/turn-store.ts';
import * as totals from './tokens/totals.ts';

export interface SessionsDeps {
  /** The data folder; the index is `sessions.db` in it and can be dropped at any time. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly env?: NodeJS.ProcessEnv;
  /** Where logs are; the clients' own folders if not given. */
  readonly folders?: readonly LogFolder[];
  /** Keep logs after the client has deleted them; `PINHOLE_ARCHIVE=1` or the setting in the data folder if not given. */
  readonly archive?: boolean;
  /** Follow the folders while open. */
  readonly watch?: boolean;
}

/** How far the index is behind the logs. */
export interface Freshness {
  readonly fresh: boolean;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

/** What operations ask about agent sessions. */
export interface Sessions {
  list(
    filter: lists.SessionFilter,
    after: lists.ListPosition | undefined,
    limit: number,
  ): Promise<readonly SessionRow[]>;
  /** The session that was last written to. */
  latest(project: string | undefined, except: string | undefined): Promise<SessionRow | undefined>;
  projects(after: lists.ProjectPosition | undefined, limit: number): Promise<readonly lists.ProjectRow[]>;
  /** The session of an id, a prefix of one, or a log path. */
  find(id: string): Promise<SessionRow>;
  shortId(id: string): Promise<string>;
  shortIdOf(key: number): Promise<string>;
  children(session: SessionRow, limit: number): Promise<readonly SessionRow[]>;
  /** Subagents with the calls that started them. */
  subagents(session: SessionRow, limit: number): Promise<readonly Subagent[]>;
  files(
    session: SessionRow,
    limit: number,
  ): Promise<readonly { path: string; reads: number; edits: number }[]>;
  tokens(session: SessionRow): Promise<totals.TokenTotal>;
  countedElsewhere(session: SessionRow): Promise<{ responses: number; tokens: number }>;
  expiresAt(session: SessionRow): Promise<number | undefined>;
  turns(session: SessionRow, after: number, limit: number): Promise<readonly TurnSummary[]>;
  turn(session: SessionRow, index: number): Promise<TurnSummary>;
  steps(session: SessionRow, turn: TurnSummary, after: number, limit: number): Promise<readonly Step[]>;
  event(session: SessionRow, index: number): Promise<events.EventMeta>;
  events(session: SessionRow, first: number, last: number): Promise<readonly events.EventMeta[]>;
  /** A call and the event that answered it. */
  pairOf(session: SessionRow, call: number): Promise<events.CallPair | undefined>;
  lastEventOf(session: SessionRow, turn: TurnSummary): Promise<number>;
  /** The whole text of an event, or its record as it stands in the log; both redacted. */
  text(session: SessionRow, event: events.EventMeta, raw: boolean): Promise<events.EventText>;
  /** Redacted texts as search sees them. */
  texts(session: SessionRow, first: number, last: number): Promise<ReadonlyMap<number, string>>;
  /** Whether some session called a tool of exactly this name. */
  isTool(name: string): Promise<boolean>;
  search(
    query: string,
    regex: boolean,
    scope: SearchScope,
    signal: AbortSignal,
    work?: SearchWork,
  ): AsyncIterable<Hit>;
  /** Tells whether a line matches a pattern, or a plain text where the pattern is not valid. */
  lineMatcher(pattern: string): (line: string) => boolean;
  figures(session: SessionRow): Promise<SessionFigures>;
  /** Calls and responses in order, for pictures. */
  timeline(session: SessionRow): Promise<Timeline>;
  analyze(
    session: SessionRow,
    options: AnalysisOptions,
  ): Promise<{ analysis: Analysis; figures: SessionFigures }>;
  touches(
    path: string,
    after: history.TouchPosition | undefined,
    limit: number,
  ): Promise<readonly history.FileTouch[]>;
  /** Every path below a folder that some session read or changed. */
  touchedPaths(folder: string): Promise<readonly string[]>;
  diff(touch: history.FileTouch, lines: number): Promise<string | undefined>;
  usage(
    group: totals.UsageGroup,
    filter: Parameters<typeof totals.usageBy>[2],
  ): Promise<readonly totals.UsageLine[]>;
  health(): Promise<Health>;
  /** Files that cannot be read, with the reason. */
  unreadable(): readonly { readonly path: string; readonly reason: string }[];
  expiring(days: number): Promise<readonly { id: string; at: number }[]>;
  folders(): readonly LogFolder[];
  /** Whether logs are kept after their clients delete them, and what is kept. */
  archive(): Promise<{ on: boolean; folder: string; logs: number; bytes: number; onlyHere: number }>;
  /** Switches that for good; what is kept stays. */
  setArchive(on: boolean): Promise<void>;
  /** Waits a little for reading that is under way, and says how far it is. */
  settled(ms: number): Promise<Freshness>;
  /** Looks through all log folders now. */
  refresh(): Promise<void>;
  /** Calls back with the keys of sessions that changed. */
  onChange(listener: (keys: readonly number[]) => void): () => void;
  /** Calls back with every change of one session and of its subagents, until the returned function is called. */
  follow(session: SessionRow, listener: (change: SessionChange) => void): () => void;
  close(): Promise<void>;
}

/** Opens the index of sessions and begins to bring it up to date. */
export async function openSessions(deps: SessionsDeps): Promise<Sessions> {
  const file = join(deps.home, 'sessions.db');
  return sessionsIn(await openIndex(file, deps.log), (events) => startReader(file, events), deps);
}

/**
 * Looks at the index that another process keeps up to date, and changes nothing in it. Undefined when there is none, or
 * one of another version.
 */
export async function lookAtSessions(deps: SessionsDeps): Promise<Sessions | undefined> {
  const db = openSqliteToRead(join(deps.home, 'sessions.db'), SESSIONS_SCHEMA);
  return db && sessionsIn(db, idleReader, { ...deps, watch: false });
}

function sessionsIn(
  db: Database,
  makeReader: (events: ReaderEvents) => LogReader,
  deps: SessionsDeps,
): Sessions {
  const now = deps.now ?? Date.now;
  const folders = deps.folders ?? logFolders(deps.env);
  const retention: Retention = readRetention(folders);
  const forced = (deps.env ?? process.env).PINHOLE_ARCHIVE === '1' ? true : undefined;
  const archive = archiveSetting(deps.home, deps.archive ?? forced);
  const kept = () => ({ folder: archive.folder, on: archive.on() });
  const listeners = new Set<(keys: readonly number[]) => void>();
  const reader = makeReader({
    changed: (keys) => {
      for (const listener of listeners) listener(keys);
    },
    log: deps.log,
  });
  const report = (error: unknown) => deps.log(`session logs: ${errorText(error)}`);
  let scanning: Promise<void> | undefined;
  let wanted = false;
  let closed = false;
  // One look at a time; what is asked for meanwhile is looked for once more afterwards.
  const scan = (): Promise<void> => {
    wanted = true;
    scanning ??= (async () => {
      while (wanted && !closed) {
        wanted = false;
        await reader.scan(folders, kept()).catch(report);
      }
      scanning = undefined;
    })();
    return scanning;
  };
  void scan();
  const onChange = (listener: (keys: readonly number[]) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const changed = (paths: readonly string[]) => void reader.read(paths, folders, kept()).catch(report);
  // Watching large folders takes a moment to begin: nobody waits for it, and what was missed is looked for after it.
  const live: Promise<Live | undefined> =
    deps.watch === false
      ? Promise.resolve(undefined)
      : watchLogs(folders, changed, () => void scan(), deps.log).then(
          (begun) => {
            void scan();
            return begun;
          },
          (error: unknown) => {
            report(error);
            return undefined;
          },
        );

  return {
    ...reading(db, retention, now),
    find: (id) => findSession(db, id, reader.busy()),
    folders: () => folders,
    unreadable: () => [...reader.unreadable()].map(([path, reason]) => ({ path, reason })),
    archive: async () => ({ ...kept(), ...(await keptSize(db)) }),
    async setArchive(on) {
      archive.set(on);
      await scan();
    },
    async settled(ms) {
      if (!reader.busy()) return { fresh: true };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([reader.idle(), late]);
      clearTimeout(timer);
      return reader.busy() ? { fresh: false, ...reader.progress() } : { fresh: true };
    },
    async refresh() {
      await scan();
      await reader.idle();
    },
    onChange,
    follow: (session, listener) => followSession(db, onChange, session, listener),
    async close() {
      closed = true;
      await (await live)?.close();
      await reader.close();
      await db.close();
    },
  };
}

type Reading = Omit<
  Sessions,
  | 'find'
  | 'folders'
  | 'unreadable'
  | 'archive'
  | 'setArchive'
  | 'settled'
  | 'refresh'
  | 'onChange'
  | 'follow'
  | 'close'
>;

function reading(db: Database, retention: Retention, now: () => number): Reading {
  return {
    list: (filter, after, limit) => lists.listSessions(db, filter, after, limit),
    latest: (project, except) => lists.latestSession(db, project, except),
    projects: (after, limit) => lists.listProjects(db, after, limit),
    shortId: (id) => shortId(db, id),
    shortIdOf: (key) => shortIdOf(db, key),
    children: (session, limit) => lists.childSessions(db, session.id, limit),
    subagents: (session, limit) => subagentsOf(db, session, limit),
    files: (session, limit) => lists.filesTouched(db, session.key, limit),
    tokens: (session) => totals.sessionTokens(db, session.id),
    countedElsewhere: (session) => totals.countedElsewhere(db, session.key),
    expiresAt: (session) => expiresAt(db, session.key, retention),
    turns: (session, after, limit) => turnsAfter(db, session.key, after, limit),
    turn: (session, index) => turnAt(db, session, index),
    steps: (session, turn, after, limit) => stepsOf(db, session, turn, after, limit),
    event: (session, index) => events.eventAt(db, session, index),
    events: (session, first, last) => events.eventRange(db, session.key, first, last),
    pairOf: (session, call) => events.pairOf(db, session.key, call),
    lastEventOf: (session, turn) => lastEventOf(db, session, turn),
    text: (session, event, raw) =>
      raw ? events.rawText(db, session, event) : events.wholeText(db, session, event),
    texts: (session, first, last) => indexedTexts(db, session.key, first, last),
    isTool: (name) => events.isTool(db, name),
    search: (query, regex, scope, signal, work) =>
      !regex && isLong(query)
        ? searchLong(db, query, scope, signal, work)
        : searchEvents(db, regex ? regexMatcher(query) : substringMatcher(query), scope, signal, work),
    lineMatcher,
    figures: (session) => gatherFigures(db, session),
    timeline: (session) => timelineOf(db, session),
    async analyze(session, options) {
      const figures = await gatherFigures(db, session);
      return { analysis: analyze(figures, options), figures };
    },
    touches: (path, after, limit) => history.fileTouches(db, path, after, limit),
    touchedPaths: (folder) => history.touchedPaths(db, folder),
    diff: (touch, lines) => history.diffOf(db, touch, lines),
    usage: (group, filter) => totals.usageBy(db, group, filter),
    health: () => indexHealth(db),
    expiring: (days) => expiringSoon(db, retention, now(), days),
  };
}

/** The index can be made again: one that cannot be opened is thrown away. */
async function openIndex(file: string, log: (line: string) => void): Promise<Database> {
  try {
    return await openSqlite(file, SESSIONS_SCHEMA);
  } catch (error) {
    log(`the index of sessions is made anew: ${errorText(error)}`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return openSqlite(file, SESSIONS_SCHEMA);
  }
}
