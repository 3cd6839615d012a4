import { isInside } from '../../contract/inside.ts';
import { DAY_MS } from '../../contract/time.ts';
import type { Database } from '../../store/database.ts';
import { providerWith } from '../providers/index.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { type SessionRow, str } from './session-row.ts';

/** How long agents keep the logs below their folders, in milliseconds since the last change. */
export type RetentionRules = readonly {
  readonly provider: Provider;
  readonly folder: string;
  readonly ms: number;
}[];

export function readRetention(providers: readonly Provider[], folders: readonly LogFolder[]): RetentionRules {
  return folders.flatMap(({ provider: id, path }) => {
    const provider = providerWith(providers, id);
    const ms = provider?.retentionMs?.(path);
    return provider === undefined || ms === undefined ? [] : [{ provider, folder: path, ms }];
  });
}

/** When the agent deletes a log that was last changed at `mtime`. */
function deletedAt(rules: RetentionRules, path: string, mtime: number): number | undefined {
  const rule = rules.find(({ folder }) => isInside(path, folder));
  return rule === undefined ? undefined : mtime + rule.ms;
}

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
      // A log changed later than this is not deleted within that time.
      const newest = now() + days * DAY_MS - Math.min(...rules.map(({ ms }) => ms));
      const rows = await db.all(
        `SELECT s.id, f.path, f.mtime FROM files f JOIN sessions s ON s.key = f.session
         WHERE f.missing = 0 AND f.mtime <= ? AND s.copy_of IS NULL ORDER BY f.mtime`,
        Math.max(0, newest),
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
