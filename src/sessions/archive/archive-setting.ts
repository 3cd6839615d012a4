import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../store/database.ts';
import { object, parseJson } from '../model/log-json.ts';
import { int } from '../store/session-row.ts';

/** Whether logs are kept after their agents delete them; stored in the data folder. */
export interface ArchiveSetting {
  readonly folder: string;
  on(): boolean;
  set(on: boolean): void;
}

/** The setting in a data folder; `given` (an option or `PINHOLE_ARCHIVE=1`) overrides it. */
export function archiveSetting(home: string, given: boolean | undefined): ArchiveSetting {
  const file = join(home, 'sessions.json');
  let on = given ?? read(file);
  return {
    folder: join(home, 'archive'),
    on: () => on,
    set(wanted) {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify({ archive: wanted })}\n`, { mode: 0o600 });
      on = wanted;
    },
  };
}

function read(file: string): boolean {
  try {
    return object(parseJson(readFileSync(file, 'utf8'))).archive === true;
  } catch {
    return false;
  }
}

/** Switches the archive and says what it holds; `scan` brings it up to date. */
export function archiveControl(db: Database, setting: ArchiveSetting, scan: () => Promise<void>) {
  return {
    /** Whether logs are kept after their agents delete them, and what is kept; `onlyHere`: the log was deleted. */
    async state() {
      const row = await db.get(
        'SELECT COUNT(*) AS n, SUM(kept_packed) AS bytes, SUM(missing) AS missing FROM files WHERE kept_at IS NOT NULL',
      );
      return {
        folder: setting.folder,
        on: setting.on(),
        logs: int(row?.n),
        bytes: int(row?.bytes),
        onlyHere: int(row?.missing),
      };
    },

    /** Switches the archive on or off and remembers it; what is already kept stays. */
    async set(on: boolean): Promise<void> {
      setting.set(on);
      await scan();
    },
  };
}
