import { fail, PinholeError } from '../contract/errors.ts';
import type { Gauge } from '../contract/metrics.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import type { Sessions, SessionsDeps } from '../sessions/sessions.ts';
import { type TeamAccess, teamAccess } from './access/team-access.ts';
import { readTeamSettings } from './access/team-settings.ts';
import { type CollectAnswer, collectMessage } from './collect-message.ts';
import { receiveLog } from './receive-log.ts';
import { type TeamCounts, teamGauges } from './team-metrics.ts';
import { teamSessions } from './team-sessions.ts';
import { checkSchema, openTeamStore } from './team-store.ts';
import { type TeamTokens, teamTokens } from './team-tokens.ts';

/** What a node of a team server adds to Pinhole. */
export interface Team {
  readonly sessions: Sessions;
  readonly tokens: TeamTokens;
  readonly access: TeamAccess;
  /** Stores what a collector sent; an error says whether it may be sent again. */
  receive(message: unknown): Promise<CollectAnswer>;
  /** Throws if the database cannot be asked, or its schema is not the one this node made. */
  check(): Promise<void>;
  /** How it is doing, for monitoring. */
  gauges(): Promise<readonly Gauge[]>;
}

/** Messages that wait for the database at the same time; a collector that comes then is asked to come back. */
const MOST_WAITING = 16;

/** Opens the database of a team; its sessions replace those of this machine. */
export async function openTeam(url: string, deps: SessionsDeps): Promise<Team> {
  const { log, now = Date.now, providers = PROVIDERS, env = process.env } = deps;
  const file = env.PINHOLE_TEAM_SETTINGS;
  const settings = file ? readTeamSettings(file) : undefined;
  const db = await openTeamStore(url, { log });
  const access = await teamAccess(db, settings, now);
  const counts: TeamCounts = { events: 0, waiting: 0, errors: 0 };
  return {
    sessions: teamSessions(url, db, deps),
    tokens: teamTokens(db, now),
    access,
    async receive(given) {
      const message = collectMessage.safeParse(given);
      if (!message.success) {
        const [issue] = message.error.issues;
        fail(
          'invalid_parameter',
          `This is not what a collector sends: ${issue?.path.join('.')}: ${issue?.message}. Use the same version of Pinhole on both sides.`,
        );
      }
      if (counts.waiting >= MOST_WAITING)
        fail('rate_limited', 'Too many collectors send at once. Try again in a moment.', {
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
