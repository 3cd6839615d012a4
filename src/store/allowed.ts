import type { Database } from './database.ts';

/** The folders that the user allowed permanently. */
export interface AllowedFolders {
  list(): Promise<readonly string[]>;
  add(path: string): Promise<void>;
  remove(path: string): Promise<boolean>;
}

export function databaseAllowed(db: Database, now: () => number): AllowedFolders {
  let known: readonly string[] | undefined;
  return {
    async list() {
      known ??= (await db.all('SELECT path FROM allowed ORDER BY path')).map((row) => String(row.path));
      return known;
    },
    async add(path) {
      await db.run(
        'INSERT INTO allowed (path, added_at) VALUES (?, ?) ON CONFLICT (path) DO NOTHING',
        path,
        now(),
      );
      known = undefined;
    },
    async remove(path) {
      const { changes } = await db.run('DELETE FROM allowed WHERE path = ?', path);
      known = undefined;
      return changes > 0;
    },
  };
}
