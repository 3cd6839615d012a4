import type { Database } from '../store/database.ts';
import { int } from './store/session-row.ts';

type Listen = (listener: (keys: readonly number[]) => void) => () => void;

/** Changes of the sessions that a database shows. Callers must not learn how often other sessions change. */
export function visibleChanges(views: Database, onChange: Listen): Listen {
  return (listener) =>
    onChange(async (keys) => {
      const marks = keys.map(() => '?').join(', ');
      // If the database cannot be reached, changes are not reported; followers of a session query it again.
      const rows = await views
        .all(`SELECT key FROM sessions WHERE key IN (${marks})`, ...keys)
        .catch(() => []);
      if (rows.length > 0) listener(rows.map(({ key }) => int(key)));
    });
}
