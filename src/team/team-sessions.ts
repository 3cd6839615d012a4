import { errorText } from '../contract/errors.ts';
import { Lru } from '../contract/lru.ts';
import { type Sessions, type SessionsDeps, sharedSessions } from '../sessions/sessions.ts';
import type { StoredRecords } from '../sessions/store/event-store.ts';
import { OF_SESSIONS } from '../sessions/store/session-scope.ts';
import { openPostgres, type PostgresDatabase, SCHEMA } from '../store/postgres.ts';
import { CHANGED, PRICES_CHANGED } from './receive-log.ts';
import { teamMarks } from './team-marks.ts';
import type { TeamPrices } from './team-prices.ts';

/** How many views for different sets of projects are kept open, each with its own connections. */
const MAX_SCOPES = 16;
/** Including those about to be closed. A node has at most twice as many connections for them. */
const MAX_OPEN_SCOPES = 24;
const CONNECTIONS_PER_SCOPE = 2;
const IDLE_MS = 1_000;
/** Calls may still use a scope after it was replaced; none runs longer than this. */
const LAST_CALLS_MS = 60_000;

/** Everything that the team's machines sent, as sessions. */
export function teamSessions(
  url: string,
  db: PostgresDatabase,
  prices: TeamPrices,
  deps: SessionsDeps,
): Sessions {
  const { log } = deps;
  const ending = new AbortController();
  const closing = new Set<() => void>();
  const scopes = new Lru<string, Promise<PostgresDatabase>>({
    most: MAX_SCOPES,
    dropped: (old) => closeLater(old, closing, ending.signal),
  });

  function seeing(projects: readonly string[]): Promise<PostgresDatabase> {
    const key = JSON.stringify([...projects].sort());
    const known = scopes.get(key);
    if (known !== undefined) return known;
    const made = openPostgres(url, {
      ...{ log, connections: CONNECTIONS_PER_SCOPE, idleMs: IDLE_MS },
      begin: viewsOf(projects),
    });
    scopes.set(key, made);
    // It is better that a running call has to be retried than that the server runs out of connections.
    for (const close of [...closing].slice(0, Math.max(0, scopes.size + closing.size - MAX_OPEN_SCOPES)))
      close();
    made.catch(() => scopes.delete(key));
    return made;
  }

  let stopListening: Promise<() => Promise<void>> | undefined;
  const sessions = sharedSessions(
    {
      db,
      seeing,
      records: storedRecords(db),
      marks: teamMarks(db),
      prices,
      listen: (changed) => {
        stopListening = db.listen(CHANGED, (said) =>
          said === PRICES_CHANGED ? void prices.reload().catch(() => {}) : changed([Number(said)]),
        );
        stopListening.catch((error: unknown) => log(`database: ${errorText(error)}`));
      },
    },
    deps,
  );
  return {
    ...sessions,
    async close() {
      ending.abort();
      await (await stopListening?.catch(() => undefined))?.();
      for (const key of [...scopes.keys()]) scopes.delete(key);
      await sessions.close();
    },
  };
}

function closeLater(old: Promise<PostgresDatabase>, closing: Set<() => void>, ending: AbortSignal): void {
  const close = () => {
    closing.delete(close);
    ending.removeEventListener('abort', close);
    clearTimeout(timer);
    void old.then((views) => views.close()).catch(() => {});
  };
  const timer = setTimeout(close, LAST_CALLS_MS).unref();
  closing.add(close);
  ending.addEventListener('abort', close);
  if (ending.aborted) close();
}

/** The log lines that collectors sent; the key of a session is the number of its log. */
function storedRecords(db: PostgresDatabase): StoredRecords {
  return async (session, event) => {
    const row = await db.get('SELECT body FROM lines WHERE log = ? AND pos = ?', session.key, event.offset);
    return typeof row?.body === 'string' ? row.body : undefined;
  };
}

/** Temporary views hide the tables of the same names, so that no statement can forget the check. */
function viewsOf(projects: readonly string[]): string {
  const names = projects.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  const seen = names === '' ? 'FALSE' : `project_path IN (${names})`;
  return [
    `CREATE TEMP VIEW sessions AS SELECT * FROM ${SCHEMA}.sessions WHERE ${seen}`,
    ...OF_SESSIONS.map(
      (table) =>
        `CREATE TEMP VIEW ${table} AS SELECT * FROM ${SCHEMA}.${table} WHERE session IN (SELECT key FROM ${SCHEMA}.sessions WHERE ${seen})`,
    ),
    `CREATE TEMP VIEW bodies AS SELECT * FROM ${SCHEMA}.bodies WHERE block IN (SELECT id FROM pg_temp.blocks)`,
  ].join(';\n');
}
