import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../contract/time.ts';
import { copySqlite } from '../store/sqlite.ts';

/** A data folder for one command, filled from the data folder that another process holds. */
export interface GuestFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a data folder that can be changed freely while another process holds the real one: the database is copied, and
 * index files are linked. Index files are never changed in place, only replaced, and replacing one replaces the link.
 */
export function guestFolder(home: string): GuestFolder {
  removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const database = join(home, 'pinhole.db');
  if (existsSync(database)) copySqlite(database, join(path, 'pinhole.db'));
  for (const name of ['code', 'disk']) linkFiles(join(home, name), join(path, name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const FOLDER_PREFIX = 'pinhole-guest-';
const ABANDONED_AFTER_MS = DAY_MS;

/** Commands that were killed leave their folder behind. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((candidate) => candidate.startsWith(FOLDER_PREFIX))) {
    const path = join(tmpdir(), name);
    try {
      const { uid, mtimeMs } = lstatSync(path);
      if (uid === process.getuid?.() && Date.now() - mtimeMs > ABANDONED_AFTER_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removed it first.
    }
  }
}

/** A link to the real folder: the files a command writes there are for its caller and must outlive it. */
const SHARED_FOLDER = 'matches';

function linkFiles(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory() && entry.name !== SHARED_FOLDER) linkFiles(source, join(to, entry.name));
    else symlinkSync(source, join(to, entry.name));
  }
}
