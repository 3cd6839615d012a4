import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readStart } from '../../contract/open-file.ts';
import type { Database } from '../../store/database.ts';
import { type Archive, logHash } from '../ingest/reader-messages.ts';
import { list, object, parseJson } from '../model/log-json.ts';
import { int, optional, str } from '../store/session-row.ts';

/** The user's choice about copies of logs, stored in the data folder. */
export interface ArchiveSetting {
  readonly folder: string;
  state(): Archive;
  set(on: boolean, unredacted: boolean): void;
  /** Makes sure that these logs are not read again. */
  forget(paths: readonly string[]): void;
}

/** The setting in a data folder; `given` (an option or `PINHOLE_ARCHIVE=1`) overrides whether the archive is on. */
export function archiveSetting(home: string, given: boolean | undefined): ArchiveSetting {
  const file = join(home, 'sessions.json');
  const folder = join(home, 'archive');
  const said = read(file);
  let state: Archive = { folder, ...said, on: given ?? said.on };
  const write = (next: Archive) => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const { on, unredacted, forgotten } = next;
    writeFileSync(file, `${JSON.stringify({ archive: on, unredacted, forgotten })}\n`, { mode: 0o600 });
    state = next;
  };
  return {
    folder,
    state: () => state,
    set: (on, unredacted) => write({ ...state, on, unredacted }),
    forget: (paths) =>
      write({ ...state, forgotten: [...new Set([...state.forgotten, ...paths.map(logHash)])] }),
  };
}

function read(file: string): Omit<Archive, 'folder'> {
  let said: ReturnType<typeof object> = {};
  try {
    said = object(parseJson(readFileSync(file, 'utf8')));
  } catch {
    // Nothing has been set yet.
  }
  return {
    on: said.archive === true,
    unredacted: said.unredacted === true,
    forgotten: list(said.forgotten).filter((one) => typeof one === 'string'),
  };
}

/** A log that its agent deleted. */
export interface DeletedLog {
  readonly session: string;
  readonly provider: string;
  readonly project: string | undefined;
  readonly endMs: number;
  readonly noticedMs: number;
  readonly kept: boolean;
}

/** How many logs are compressed to estimate the ratio, and how much of each. */
const SAMPLED_LOGS = 12;
const SAMPLE_BYTES = 256 << 10;
const MAX_DELETED_LOGS = 20;

/** Turns the archive on or off and reports what it holds; `scan` brings it up to date. */
export function archiveControl(db: Database, setting: ArchiveSetting, scan: () => Promise<void>) {
  return {
    /** Whether logs are kept after their agents delete them, and what is kept; `onlyHere`: the original was deleted. */
    async state() {
      const row = await db.get(
        'SELECT COUNT(*) AS n, SUM(kept_packed) AS bytes, SUM(missing) AS missing FROM files WHERE kept_at IS NOT NULL',
      );
      const { on, unredacted } = setting.state();
      return {
        folder: setting.folder,
        on,
        unredacted,
        logs: int(row?.n),
        bytes: int(row?.bytes),
        onlyHere: int(row?.missing),
      };
    },

    /** The size of copies of all logs, estimated from the newest ones. */
    async estimate(): Promise<{ readonly logs: number; readonly bytes: number; readonly packed: number }> {
      const rows = await db.all('SELECT path FROM files WHERE missing = 0 ORDER BY mtime DESC');
      const sizes = rows.flatMap(({ path }) => sizeOf(str(path)));
      const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
      const every = Math.max(1, Math.floor(sizes.length / SAMPLED_LOGS));
      let sampled = 0;
      let packed = 0;
      for (const { path } of sizes.filter((_, at) => at % every === 0)) {
        const part = readStart(path, { below: dirname(path) }, SAMPLE_BYTES).bytes;
        sampled += part.length;
        packed += gzipSync(part).length;
      }
      return { logs: sizes.length, bytes, packed: Math.round((bytes * packed) / Math.max(1, sampled)) };
    },

    /** Logs that agents deleted, the most recently deleted first. */
    async deleted(): Promise<readonly DeletedLog[]> {
      const rows = await db.all(
        'SELECT * FROM deleted_logs ORDER BY noticed_ms DESC, session LIMIT ?',
        MAX_DELETED_LOGS,
      );
      return rows.map((row) => ({
        session: str(row.session),
        provider: str(row.provider),
        project: optional(row.project_path),
        endMs: int(row.end_ms),
        noticedMs: int(row.noticed_ms),
        kept: int(row.kept) === 1,
      }));
    },

    /** When the log of a session was noticed to be deleted; undefined if it still exists. */
    async deletedAt(session: string): Promise<number | undefined> {
      const row = await db.get('SELECT noticed_ms FROM deleted_logs WHERE session = ?', session);
      return row === undefined ? undefined : int(row.noticed_ms);
    },

    /** Turns the archive on or off and stores the choice; existing copies stay as they are. */
    async set(on: boolean, unredacted = setting.state().unredacted): Promise<void> {
      setting.set(on, unredacted);
      await scan();
    },
  };
}

/** Empty for a log that is part of a database. */
function sizeOf(path: string): { readonly path: string; readonly size: number }[] {
  try {
    return [{ path, size: statSync(path).size }];
  } catch {
    return [];
  }
}
