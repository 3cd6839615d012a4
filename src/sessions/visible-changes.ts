import type { Database } from '../store/database.ts';
import { int } from './store/session-row.ts';

type Listen = (listener: (keys: readonly number[]) => void) => () => void;

/** Changes of the sessions that a database shows: how often others change is not for somebody who may not see them. */
export function visibleChanges(views: Database, onChange: Listen): Listen {
  return (listener) =>
    onChange(async (keys) => {
      const marks = keys.map(() => '?').join(', ');
      // A database that is away tells nobody of changes; what follows a session asks again.
      const rows = await views
        .all(`SELECT key FROM sessions WHERE key IN (${marks})`, ...keys)
        .catch(() => []);
      if (rows.length > 0) listener(rows.map(({ key }) => int(key)));
    });
}
