import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { type FolderName, MAX_FOLDER_NAMES } from './folder-names.ts';

/** Tables in memory with the result of `dirname` for the files of each folder. */
export interface FolderNameTables {
  /** The tables for these names, by column; missing ones are created. */
  of(names: readonly FolderName[]): Readonly<Record<string, string>>;
  /** Must be called when folders have changed. */
  forget(): void;
}

export function createFolderNameTables(db: DatabaseSyncInstance): FolderNameTables {
  /** Table names by column, the most recently used last. */
  const made = new Map<string, string>();
  let count = 0;

  function drop(column: string): void {
    db.exec(`DROP TABLE IF EXISTS main.${made.get(column)}`);
    made.delete(column);
  }

  function make({ parts, base }: FolderName): string {
    const table = `folder_names_${++count}`;
    const root = '(SELECT path FROM main.roots r WHERE r.id = d.id >> 32)';
    // Any file name will do.
    const call = `dirname(path || slash || 'x', ?${base === undefined ? '' : base === 'root' ? `, ${root}` : ', ?'})`;
    db.exec(`CREATE TABLE main.${table} (id INTEGER PRIMARY KEY, name TEXT)`);
    db.prepare(`INSERT INTO main.${table} SELECT id, ${call} FROM main.dirs d`).run(
      parts,
      ...(typeof base === 'object' ? [base.text] : []),
    );
    return table;
  }

  return {
    of(names) {
      const tables = Object.fromEntries(
        names.map((name) => {
          const table = made.get(name.column) ?? make(name);
          made.delete(name.column);
          made.set(name.column, table);
          return [name.column, table];
        }),
      );
      for (const column of [...made.keys()].slice(0, -MAX_FOLDER_NAMES)) drop(column);
      return tables;
    },
    forget() {
      for (const column of [...made.keys()]) drop(column);
    },
  };
}
