import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../store/database.ts';
import type { Provider } from '../model/event.ts';
import { number, object, parseJson, text } from '../model/json.ts';
import { providerOf, str } from './rows.ts';

const DAY_MS = 86_400_000;
/** Claude Code deletes logs this many days after they were last written, unless told otherwise. */
const CLAUDE_DAYS = 30;

/** How long each client keeps a log, in milliseconds after its last change; undefined: for good. */
export type Retention = Readonly<Partial<Record<Provider, number>>>;

/** Reads the clients' own settings. */
export function readRetention(env: NodeJS.ProcessEnv = process.env): Retention {
  const home = env.HOME || homedir();
  const claude = settings(
    join((env.CLAUDE_CONFIG_DIR || join(home, '.claude')).split(',')[0] ?? '', 'settings.json'),
  );
  const gemini = settings(join(env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json'));
  const days = number(claude.cleanupPeriodDays) ?? CLAUDE_DAYS;
  const kept = object(object(gemini.general).sessionRetention);
  const geminiMs = kept.enabled === true ? ageMs(text(kept.maxAge)) : undefined;
  return { claude_code: days * DAY_MS, ...(geminiMs === undefined ? {} : { gemini: geminiMs }) };
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS, m: 30 * DAY_MS };

function ageMs(age: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+)\s*([hdwm])$/.exec(age ?? '') ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] ?? DAY_MS);
}

function settings(path: string): Readonly<Record<string, unknown>> {
  try {
    return object(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}

/** When the client will delete the log of a session, or undefined. */
export async function expiresAt(
  db: Database,
  key: number,
  retention: Retention,
): Promise<number | undefined> {
  const row = await db.get('SELECT provider, mtime FROM files WHERE session = ? AND missing = 0', key);
  const kept = row === undefined ? undefined : retention[providerOf(row.provider)];
  return kept === undefined ? undefined : Number(row?.mtime) + kept;
}

/** Logs that will be deleted within some days, soonest first. */
export async function expiringSoon(
  db: Database,
  retention: Retention,
  now: number,
  days: number,
): Promise<readonly { id: string; at: number }[]> {
  const rows = await db.all(
    `SELECT s.id, f.provider, f.mtime FROM files f JOIN sessions s ON s.key = f.session
     WHERE f.missing = 0 AND s.copy_of IS NULL ORDER BY f.mtime`,
  );
  return rows.flatMap((row) => {
    const kept = retention[providerOf(row.provider)];
    const at = Number(row.mtime) + (kept ?? Number.POSITIVE_INFINITY);
    return at - now <= days * DAY_MS ? [{ id: str(row.id), at }] : [];
  });
}
