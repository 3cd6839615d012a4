import { dirname, join } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';
import type { Database } from '../../store/database.ts';
import type { Provider } from '../model/event.ts';
import { number, object, parseJson, text } from '../model/log-json.ts';
import type { LogFolder } from '../providers/log-files.ts';
import { type SessionRow, str } from './session-row.ts';

const DAY_MS = 86_400_000;
const LARGEST_SETTINGS = 1 << 20;
/** Claude Code deletes logs this many days after they were last written, unless told otherwise. */
const CLAUDE_DAYS = 30;

/** How long a client keeps the logs below a folder, in milliseconds after their last change. */
export type RetentionRules = readonly {
  readonly provider: Provider;
  readonly folder: string;
  readonly ms: number;
}[];

/** Reads the clients' own settings, which stand above each of their log folders. Codex keeps its logs for good. */
export function readRetention(folders: readonly LogFolder[]): RetentionRules {
  return folders.flatMap(({ provider, path }) => {
    const own = settings(join(dirname(path), 'settings.json'));
    const ms = provider === 'claude_code' ? claudeMs(own) : provider === 'gemini' ? geminiMs(own) : undefined;
    return ms === undefined ? [] : [{ provider, folder: path, ms }];
  });
}

function claudeMs(own: Readonly<Record<string, unknown>>): number {
  return (number(own.cleanupPeriodDays) ?? CLAUDE_DAYS) * DAY_MS;
}

function geminiMs(own: Readonly<Record<string, unknown>>): number | undefined {
  const kept = object(object(own.general).sessionRetention);
  return kept.enabled === true ? ageMs(text(kept.maxAge)) : undefined;
}

/** When the client deletes a log that was last changed at `mtime`. */
function deletedAt(rules: RetentionRules, path: string, mtime: number): number | undefined {
  const rule = rules.find(({ folder }) => path.startsWith(`${folder}/`));
  return rule === undefined ? undefined : mtime + rule.ms;
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS, m: 30 * DAY_MS };

function ageMs(age: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+)\s*([hdwm])$/.exec(age ?? '') ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] ?? DAY_MS);
}

function settings(path: string): Readonly<Record<string, unknown>> {
  try {
    return object(parseJson(readWhole(path, 'anywhere', LARGEST_SETTINGS).toString('utf8')));
  } catch {
    return {};
  }
}

export type Retention = ReturnType<typeof retentionOf>;

/** When the agents delete the logs of sessions. */
export function retentionOf(db: Database, rules: RetentionRules, now: () => number) {
  return {
    /** When the agent will delete the log of a session, or undefined. */
    async expiresAt(session: SessionRow): Promise<number | undefined> {
      const row = await db.get(
        'SELECT path, mtime FROM files WHERE session = ? AND missing = 0',
        session.key,
      );
      return row === undefined ? undefined : deletedAt(rules, str(row.path), Number(row.mtime));
    },

    /** Logs that will be deleted within some days, soonest first. */
    async expiring(days: number): Promise<readonly { id: string; at: number }[]> {
      const rows = await db.all(
        `SELECT s.id, f.path, f.mtime FROM files f JOIN sessions s ON s.key = f.session
         WHERE f.missing = 0 AND s.copy_of IS NULL ORDER BY f.mtime`,
      );
      return rows
        .flatMap((row) => {
          const at = deletedAt(rules, str(row.path), Number(row.mtime));
          return at === undefined || at - now() > days * DAY_MS ? [] : [{ id: str(row.id), at }];
        })
        .sort((a, b) => a.at - b.at);
    },
  };
}
