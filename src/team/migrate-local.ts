import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../contract/errors.ts';
import { type LogFile, type LogFolder, logAt } from '../sessions/providers/log-files.ts';
import type { Provider } from '../sessions/providers/provider.ts';
import { int, optional, str } from '../sessions/store/session-row.ts';
import { SESSIONS_SCHEMA } from '../sessions/store/sessions-schema.ts';
import { indexedTexts } from '../sessions/store/texts.ts';
import type { Database } from '../store/database.ts';
import type { PostgresDatabase } from '../store/postgres.ts';
import { openSqliteToRead } from '../store/sqlite.ts';
import type { Positions } from './collect-positions.ts';
import { createCollector } from './collector.ts';
import type { Sender } from './log-messages.ts';
import { receiveLog } from './receive-log.ts';

export interface MigrateDeps {
  /** The data folder to migrate. */
  readonly home: string;
  readonly db: PostgresDatabase;
  readonly providers: readonly Provider[];
  readonly folders: readonly LogFolder[];
  readonly positions: Positions;
  readonly sender: Sender;
  readonly log: (line: string) => void;
  readonly now?: () => number;
}

export interface Migrated {
  readonly logs: number;
  readonly records: number;
  /** Logs that could not be read. */
  readonly failed: number;
  /** Sessions whose events and texts are identical in both databases. */
  readonly same: number;
  /** Sessions that grew after this machine's index was written. */
  readonly grown: number;
  /** Sessions that differ: nothing may be deleted. */
  readonly different: readonly string[];
  /**
   * Sessions whose log the agent deleted and the archive does not have: only their index is left, which cannot be
   * migrated.
   */
  readonly gone: readonly string[];
}

/**
 * Moves the sessions of one machine into a team's database: the logs, as a collector would send them, including those
 * that only the archive has. Positions record what was moved, so that it can be stopped and run again. Afterwards, both
 * databases are compared.
 */
export async function migrateLocal(deps: MigrateDeps): Promise<Migrated> {
  const { home, db, providers, folders, now = Date.now } = deps;
  const local = openSqliteToRead(join(home, 'sessions.db'), SESSIONS_SCHEMA);
  if (local === undefined)
    fail('conflict', `There is no index of sessions in ${home}. Run pinhole sessions list there once.`);
  try {
    const collector = createCollector({
      ...deps,
      send: (message) => receiveLog(db, message, providers, now()),
    });
    const sent = await collector.all();
    const kept = await collector.these(await keptLogs(local, providers, folders));
    const compared = await compareSessions(local, db, deps.positions.machine);
    return {
      logs: sent.logs + kept.logs,
      records: sent.records + kept.records,
      failed: sent.failed + kept.failed,
      ...compared,
    };
  } finally {
    await local.close();
  }
}

/** Logs that the agent deleted but the archive has. */
async function keptLogs(
  local: Database,
  providers: readonly Provider[],
  folders: readonly LogFolder[],
): Promise<readonly LogFile[]> {
  const rows = await local.all('SELECT path, kept_at FROM files WHERE kept_at IS NOT NULL ORDER BY path');
  return rows.flatMap(({ path, kept_at }) => {
    const missing = !existsSync(str(path)) && existsSync(str(kept_at));
    return (missing && logAt(providers, folders, str(path), str(kept_at))) || [];
  });
}

async function compareSessions(
  local: Database,
  db: PostgresDatabase,
  machine: string,
): Promise<Pick<Migrated, 'same' | 'grown' | 'different' | 'gone'>> {
  const found = { same: 0, grown: 0, different: [] as string[], gone: [] as string[] };
  const rows = await local.all(
    'SELECT s.key, s.id, s.short, f.path FROM sessions s LEFT JOIN files f ON f.session = s.key ORDER BY s.key',
  );
  for (const row of rows) {
    const path = optional(row.path);
    const log =
      path === undefined
        ? undefined
        : await db.get('SELECT id FROM logs WHERE machine = ? AND path = ?', machine, path);
    if (log === undefined) found.gone.push(str(row.short));
    else {
      const [here, there] = [await digestOf(local, int(row.key)), await digestOf(db, int(log.id))];
      if (here.events < there.events) found.grown++;
      else if (here.digest === there.digest) found.same++;
      else found.different.push(str(row.short));
    }
  }
  return found;
}

/** The number of events of a session, and a digest of their types, texts and costs. */
async function digestOf(
  db: Database,
  key: number,
): Promise<{ readonly events: number; readonly digest: string }> {
  const events = await db.all(
    'SELECT idx, type, turn, step, ms, name, status, exit_code FROM events WHERE session = ? ORDER BY idx',
    key,
  );
  const usage = await db.all(
    'SELECT event, turn, step, model, input, cached, cache_write, output FROM usage WHERE session = ?',
    key,
  );
  const hash = createHash('sha256');
  for (const row of events) hash.update(JSON.stringify(Object.values(row)));
  // Responses without an id are named by the number of the session, which differs.
  for (const row of usage.map((one) => JSON.stringify(Object.values(one))).sort()) hash.update(row);
  const texts = await indexedTexts(db)({ key }, 0, Number.MAX_SAFE_INTEGER);
  for (const [event, text] of texts) hash.update(`${event} ${text}\n`);
  return { events: events.length, digest: hash.digest('hex') };
}
