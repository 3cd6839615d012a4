import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copySqlite } from '../store/sqlite.ts';

/** A data folder for one command, with what another process has in its own. */
export interface GuestFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a data folder that may be changed freely while another process has the real one: the database is copied, and
 * the files of indexes are links. Files of indexes are never changed in place, only replaced, which replaces the link.
 */
export function guestFolder(home: string): GuestFolder {
  removeOld();
  const path = mkdtempSync(join(tmpdir(), NAME));
  const database = join(home, 'pinhole.db');
  if (existsSync(database)) copySqlite(database, join(path, 'pinhole.db'));
  for (const name of ['code', 'disk']) linkFiles(join(home, name), join(path, name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const NAME = 'pinhole-guest-';
const OLD_MS = 24 * 3_600_000;

/** Commands that were killed leave theirs behind. */
function removeOld(): void {
  for (const name of readdirSync(tmpdir()).filter((candidate) => candidate.startsWith(NAME))) {
    const path = join(tmpdir(), name);
    try {
      const { uid, mtimeMs } = lstatSync(path);
      if (uid === process.getuid?.() && Date.now() - mtimeMs > OLD_MS)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else removed it.
    }
  }
}

/** What a command writes for its caller stays when the command has ended. */
const KEPT = 'matches';

function linkFiles(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory() && entry.name !== KEPT) linkFiles(source, join(to, entry.name));
    else symlinkSync(source, join(to, entry.name));
  }
}
