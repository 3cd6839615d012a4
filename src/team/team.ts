import { errorText, fail, PinholeError } from '../contract/errors.ts';
import type { Gauge } from '../contract/metrics.ts';
import { redact } from '../contract/redact.ts';
import { DAY_MS } from '../contract/time.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PassageStore } from '../sessions/meaning/passage-store.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import type { Sessions, SessionsDeps } from '../sessions/sessions.ts';
import type { Database } from '../store/database.ts';
import type { SharedTables } from '../store/sql-table.ts';
import { type TeamAccess, teamAccess } from './access/team-access.ts';
import { readTeamSettings } from './access/team-settings.ts';
import { type CollectAnswer, collectMessage } from './collect-message.ts';
import { deriveAgain, logsToRead } from './derive-session.ts';
import { sharedTables } from './query/shared-tables.ts';
import { VIEWS } from './query/sql-views.ts';
import { receiveLog } from './receive-log.ts';
import { sharedJobs } from './shared-jobs.ts';
import { type TeamCounts, teamGauges } from './team-metrics.ts';
import { teamPassages } from './team-passages.ts';
import { teamPrices } from './team-prices.ts';
import { deleteExpired, expired } from './team-retention.ts';
import { teamSessions } from './team-sessions.ts';
import { checkSchema, openTeamStore } from './team-store.ts';
import { type TeamTokens, teamTokens } from './team-tokens.ts';

/** What a node of a team server adds to Pinhole. */
export interface Team {
  readonly sessions: Sessions;
  readonly tokens: TeamTokens;
  readonly access: TeamAccess;
  /** The passages of sessions, for search by meaning on all nodes. */
  readonly passages: PassageStore;
  /** The sessions as tables, for `sql`. */
  readonly tables: SharedTables;
  /** What all nodes share: cursors and the audit. */
  readonly db: Database;
  /** Work that any node can do. */
  readonly jobs: Jobs;
  /** Stores what a collector sent; an error says whether to send it again. */
  receive(message: unknown): Promise<CollectAnswer>;
  /** Throws if the database cannot be reached, or its schema is not the one this node created. */
  check(): Promise<void>;
  /** How it is doing, for monitoring. */
  gauges(): Promise<readonly Gauge[]>;
}

/** Messages that may wait for the database at once; further collectors are asked to come back later. */
const MAX_WAITING_MESSAGES = 16;

/** The job that reads the stored logs again, after an update changed the index. */
const READ_AGAIN = 'team-read-again';
const RETENTION = 'team-retention';

/** Opens a team's database; its sessions replace those of this machine. */
export async function openTeam(url: string, deps: SessionsDeps): Promise<Team> {
  const { log, now = Date.now, providers = PROVIDERS, env = process.env } = deps;
  const file = env.PINHOLE_TEAM_SETTINGS;
  const settings = file ? readTeamSettings(file) : undefined;
  const db = await openTeamStore(url, { log });
  const [views] = await db.own('SELECT to_regnamespace($1) IS NOT NULL AS made', [VIEWS]);
  const jobs = sharedJobs(db, { now, log });
  jobs.register({
    name: READ_AGAIN,
    afterRestart: 'resume',
    anywhere: true,
    async run({ signal, progress }) {
      const logs = await deriveAgain(db, providers, redact, signal, (done, total) =>
        progress({ done, total, unit: 'logs' }),
      );
      return { logs };
    },
  });
  jobs.register({
    name: RETENTION,
    afterRestart: 'resume',
    anywhere: true,
    async run({ signal, progress }) {
      const { logs, records } = await deleteExpired(db, now(), signal, (done, total) =>
        progress({ done, total, unit: 'logs' }),
      );
      return { logs, records };
    },
  });
  jobs.begin();
  const deleteOld = async () => {
    if ((await expired(db, now())).logs > 0) await jobs.start(RETENTION, 'all', {});
  };
  const daily = setInterval(
    () => void deleteOld().catch((error: unknown) => log(`retention: ${errorText(error)}`)),
    DAY_MS / 4,
  ).unref();
  await deleteOld();
  // After an update, the index is empty, or lacks what another node has not read again yet.
  if ((await logsToRead(db)) > 0) await jobs.start(READ_AGAIN, 'all', {});
  const prices = await teamPrices(db, { now, log });
  const access = await teamAccess(db, settings, now);
  const counts: TeamCounts = { events: 0, waiting: 0, errors: 0 };
  return {
    db,
    jobs: {
      ...jobs,
      close: () => {
        clearInterval(daily);
        return jobs.close();
      },
    },
    sessions: teamSessions(url, db, prices, deps),
    tokens: teamTokens(db, now),
    access,
    passages: teamPassages(db),
    tables: sharedTables(db, views?.made === 1),
    async receive(given) {
      const message = collectMessage.safeParse(given);
      if (!message.success) {
        const [issue] = message.error.issues;
        fail(
          'invalid_parameter',
          `This is not what a collector sends: ${issue?.path.join('.')}: ${issue?.message}. Use the same version of Pinhole on both sides.`,
        );
      }
      if (counts.waiting >= MAX_WAITING_MESSAGES)
        fail('rate_limited', 'Too many collectors are sending at once. Try again in a moment.', {
          details: { retry_after_seconds: 1 },
        });
      counts.waiting++;
      try {
        const answer = await receiveLog(db, message.data, providers, now());
        counts.events += answer.added;
        return answer;
      } catch (error) {
        if (!(error instanceof PinholeError) || error.code === 'unavailable') counts.errors++;
        throw error;
      } finally {
        counts.waiting--;
      }
    },
    async check() {
      try {
        await checkSchema(db);
      } catch (error) {
        counts.errors++;
        throw error;
      }
    },
    gauges: () => teamGauges(db, counts, now),
  };
}
