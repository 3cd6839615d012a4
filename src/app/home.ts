import { accessSync, chmodSync, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { fail, PinholeError, systemCode } from '../contract/errors.ts';
import { makeFolder } from '../contract/make-folder.ts';

/** Where Pinhole keeps its data: `PINHOLE_HOME`, or the XDG data folder. Nothing is written elsewhere. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.PINHOLE_HOME) return resolve(env.PINHOLE_HOME);
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pinhole');
}

/** The data folder, created if missing and checked; the error says what to do. */
export function usableDataFolder(): string {
  checkPort(process.env.PINHOLE_PORT);
  const home = dataFolder();
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = systemCode(error) ?? String(error);
    throw new PinholeError(
      'conflict',
      `The data folder ${home} is not writable (${reason}). Set PINHOLE_HOME to a writable folder.`,
    );
  }
  refuseForeign(home);
  closeToOthers(home);
  return home;
}

/** Another user who controls the folder could put a record of their own there and read everything. */
function refuseForeign(home: string): void {
  const me = process.getuid?.();
  if (me === undefined) return;
  const link = lstatSync(home);
  const folder = statSync(home);
  const planted = link.isSymbolicLink() && link.uid !== me && link.uid !== 0;
  const open = folder.uid !== me && folder.uid !== 0 && (folder.mode & 0o022) !== 0;
  if (!planted && !open) return;
  throw new PinholeError(
    'conflict',
    `The data folder ${home} is ${planted ? 'a link that belongs to another user' : 'open to its owner, another user, and to others'}. Set PINHOLE_HOME to a folder of your own.`,
  );
}

const OTHERS_BITS = 0o077;
/** What Pinhole keeps there: the folder itself may be somebody's home. */
const OWN_NAME =
  /^(?:(?:pinhole|sessions|commits|meanings|collect)\.db|sessions\.json|sql-history|background\.|collect\.lock|(?:code|disk|archive|run)$)/;

/**
 * An older folder may be open to others, such as a volume that was made for Pinhole. What is in it is closed to them,
 * and so is everything that this process and its children create.
 */
function closeToOthers(home: string): void {
  const me = process.getuid?.();
  if (me === undefined || !isMainThread) return;
  process.umask(OTHERS_BITS);
  for (const name of readdirSync(home).filter((candidate) => OWN_NAME.test(candidate))) {
    const path = join(home, name);
    try {
      const stats = lstatSync(path);
      if ((stats.isFile() || stats.isDirectory()) && stats.uid === me && (stats.mode & OTHERS_BITS) !== 0)
        chmodSync(path, stats.mode & 0o700);
    } catch {
      // Another process has just removed it, or the file system has no modes.
    }
  }
}

/** Every command refuses a wrong port, whether or not it is the one that starts the background process. */
function checkPort(port: string | undefined): void {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    fail('invalid_parameter', `PINHOLE_PORT is '${port}'. Set it to a whole number from 0 to 65535.`);
}
