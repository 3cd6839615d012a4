import { join } from 'node:path';
import { openCode } from '../code/code.ts';
import { openStaticEmbedder } from '../code/embed/static-embedder.ts';
import { gitIgnores } from '../code/files/git-ignores.ts';
import { openCommits } from '../commits/commits.ts';
import { createAgentFolders } from '../contract/agent-folders.ts';
import { createEngine, type Engine } from '../contract/engine.ts';
import { createMetrics } from '../contract/metrics.ts';
import { createRateLimit } from '../contract/rate.ts';
import { createResultSets } from '../contract/result-sets.ts';
import { createStreamGate } from '../contract/streams.ts';
import { VERSION } from '../contract/version.ts';
import { databaseShells, unitsOf } from '../disk/browse/shells.ts';
import { openDisk } from '../disk/disk.ts';
import { DISK_SCHEMA } from '../disk/disk-schema.ts';
import type { TouchedPaths } from '../disk/filter/filters.ts';
import { createJobs } from '../jobs/queue.ts';
import { touchedBy } from '../joins/touched-by.ts';
import { openMeaning, type TextEmbedder } from '../sessions/meaning/session-meaning.ts';
import { lookAtSessions, openSessions } from '../sessions/sessions.ts';
import { sessionsIndexer } from '../sessions/sessions-indexer.ts';
import { openSql } from '../sql/sql.ts';
import { databaseAllowed } from '../store/allowed.ts';
import { APP_SCHEMA } from '../store/app-schema.ts';
import { databaseAudit } from '../store/audit-store.ts';
import { databaseCursors } from '../store/cursors.ts';
import { openDurable } from '../store/durable-database.ts';
import { openSqlite } from '../store/sqlite.ts';
import { visibleMirrors } from '../team/mirrors/mirror-folders.ts';
import { withShared } from '../team/shared-jobs.ts';
import { openTeam } from '../team/team.ts';
import { closeInTime } from './close-in-time.ts';
import { OPERATIONS } from './operations.ts';
import { withSelf } from './self-input.ts';
import type { Services } from './services.ts';

export interface OpenAppOptions {
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  /** Where links in answers point, known only once the port is; empty without a server. */
  readonly baseUrl: () => string;
  readonly now?: () => number;
  /** Says where the logs of agents are. */
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** resume: run jobs, and those that an earlier process left; run: only new ones; pause: record jobs without running them. */
  readonly jobs?: 'resume' | 'run' | 'pause';
  /** The data folder of another process that keeps the session index; it is only read here. */
  readonly sessionsOf?: string | undefined;
}

/** The engine with its data open. */
export interface OpenApp {
  readonly engine: Engine;
  readonly services: Services;
  /** Closes everything, within a time limit if there is one; returns false if some part did not close. */
  close(limitMs?: number): Promise<boolean>;
}

/** Opens the data folder and puts everything together: the only place that knows all parts. */
export async function openApp(options: OpenAppOptions): Promise<OpenApp> {
  const { home, log } = options;
  const now = options.now ?? Date.now;
  const { sessionsOf } = options;
  const file = join(home, 'pinhole.db');
  const schema = [...APP_SCHEMA, ...DISK_SCHEMA];
  // A guest works on a copy that is deleted when it ends.
  const db = await (sessionsOf === undefined
    ? openDurable(file, schema, { log, now })
    : openSqlite(file, schema));
  const takeTurn = createRateLimit(now);
  const allowed = databaseAllowed(db, now);
  const agentFolders = createAgentFolders();
  const results = createResultSets(now);
  const env = options.env ?? process.env;
  const database = env.PINHOLE_DATABASE_URL;
  const team = database ? await openTeam(database, { home, log, now, env }) : undefined;
  const own = createJobs(db, { now, log, paused: options.jobs === 'pause' });
  const jobs = team === undefined ? own : withShared(own, team.jobs);
  // What a node remembers of its callers is for all nodes.
  const remembered = team?.db ?? db;
  const metrics = createMetrics();
  const audit = metrics.counting(databaseAudit(remembered));
  const sessions =
    team?.sessions ??
    ((sessionsOf && (await lookAtSessions({ home: sessionsOf, log, now, env }))) ||
      (await openSessions({ home, log, now, env })));
  const touchedPaths: TouchedPaths = (root, written) => sessions.files.touchedPaths(root, written);
  const watches = env.PINHOLE_DISK_WATCHES;
  const disk = await openDisk({ db, jobs, home, now, log, touchedPaths, gitIgnores, watches });
  const code = await openCode({ jobs, home, log, watch: true, env });
  const commits = await openCommits({ home, sessions, log });
  const meaning = await openMeaning({ home, sessions, log, embedder: textEmbedder, store: team?.passages });
  const sql = openSql({ code, disk, shared: team?.tables });
  const services: Services = {
    about: { version: VERSION, started_at: now(), home },
    jobs,
    indexers: {
      disk: disk.indexes,
      code: code.indexer,
      sessions: sessionsIndexer(sessions, jobs),
    },
    audit,
    metrics,
    streams: createStreamGate({ audit, takeTurn, now }),
    allowed,
    agentFolders,
    shells: databaseShells(db, now),
    disk,
    code,
    sessions,
    meaning,
    commits,
    sql,
    ...(team && { team }),
    touchedBy: (path, zone) => touchedBy(sessions, path, zone),
  };
  const engine = createEngine({
    operations: OPERATIONS,
    services,
    within: async (folders) => {
      const own = await sessions.within(folders);
      const filters = disk.filters.seeing((root, written) => own.files.touchedPaths(root, written));
      return {
        ...services,
        sessions: own,
        disk: { ...disk, filters },
        touchedBy: (path: string, zone: string) => touchedBy(own, path, zone),
      };
    },
    inputFor: (operation, input, caller, { sessions: visible }: Services) =>
      withSelf(input, { operation, caller, sessions: visible, now: now() }),
    cursors: databaseCursors(remembered, now, team !== undefined),
    results,
    audit,
    takeTurn,
    allowed: async ({ sees }) => [...(await allowed.list()), ...visibleMirrors(home, sees)],
    agentFolders,
    baseUrl: options.baseUrl,
    style: async (caller, { shell }) => {
      const units = await unitsOf(services.shells, caller.id, typeof shell === 'string' ? shell : undefined);
      return units === undefined ? {} : { units };
    },
    log,
    now,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  if ((options.jobs ?? 'resume') === 'resume') await jobs.recover();
  return {
    engine,
    services,
    close: (limitMs) =>
      closeInTime(
        {
          results: () => results.close(),
          // Early, because it is quick and what follows may use up the time.
          audit: () => audit.flush(),
          sql: () => sql.close(),
          commits: () => commits.close(),
          meaning: () => meaning.close(),
          jobs: () => jobs.close(),
          disk: () => disk.close(),
          code: () => code.close(),
          'last of the audit': () => audit.flush(),
          sessions: () => sessions.close(),
          database: () => db.close(),
        },
        log,
        limitMs,
      ),
  };
}

/** Our own model, also where another one was chosen for code: what was said in sessions stays on this machine. */
async function textEmbedder(): Promise<TextEmbedder> {
  const { name, passages, phrase, question } = await openStaticEmbedder();
  return {
    name,
    passages: async (texts) => passages('', texts),
    // A question about code is turned towards code; what was said in sessions is not code.
    question: async (text) => phrase?.(text) ?? question(text),
  };
}
