import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** The limit SQLite was built with. */
const MAX_ATTACHED_FILES = 10;

interface Attached {
  readonly schema: string;
  /** Tells apart files of the same name: a rebuilt index is another file. */
  readonly identity: string;
}

/** Attaches database files for reading; returns the schema names of those that exist. */
export function createAttachments(
  db: DatabaseSyncInstance,
): (files: readonly string[]) => ReadonlyMap<string, string> {
  const attached = new Map<string, Attached>();
  let last = 0;

  function detach(file: string, { schema }: Attached): void {
    db.exec(`DETACH ${schema}`);
    attached.delete(file);
  }

  return (files) => {
    const wanted = files.slice(0, MAX_ATTACHED_FILES);
    for (const [file, known] of [...attached])
      if (!wanted.includes(file) || identityOf(file) !== known.identity) detach(file, known);
    for (const file of wanted) {
      const identity = identityOf(file);
      if (attached.has(file) || identity === undefined) continue;
      const schema = `db${++last}`;
      db.prepare(`ATTACH ? AS ${schema}`).run(`${pathToFileURL(file).href}?mode=ro`);
      attached.set(file, { schema, identity });
    }
    return new Map([...attached].map(([file, { schema }]) => [file, schema]));
  };
}

function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
