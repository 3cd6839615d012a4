import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../contract/errors.ts';
import { sizeText } from '../contract/format.ts';
import { makeFolder } from '../contract/make-folder.ts';
import type { Finding } from './doctor-finding.ts';

const MIN_NODE = [20, 19] as const;
const MB = 1_000_000;
/** Room for the indexes of a large disk and a large repository. */
const WANTED_BYTES = 1_000 * MB;
const NEEDED_BYTES = 100 * MB;

/** Checks that this Node.js is new enough. */
export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return enough
    ? { check: 'node', state: 'ok', text: `Node.js ${version}` }
    : {
        check: 'node',
        state: 'fail',
        text: `Node.js ${version} is too old`,
        fix: `install Node.js ${MIN_NODE.join('.')} or newer`,
      };
}

/** Checks that the data folder is writable, private and has room. */
export function checkDataFolder(
  home: string,
  freeBytes: (path: string) => number = freeOn,
): readonly Finding[] {
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [
      {
        check: 'data',
        state: 'fail',
        text: `${home} is not writable (${systemCode(error) ?? String(error)})`,
        fix: 'set PINHOLE_HOME to a writable folder',
      },
    ];
  }
  const free = freeBytes(home);
  const room = `${home}, ${sizeText(free)} free`;
  const space: Finding =
    free >= WANTED_BYTES
      ? { check: 'data', state: 'ok', text: room }
      : {
          check: 'data',
          state: free >= NEEDED_BYTES ? 'warn' : 'fail',
          text: room,
          fix: 'free some space, or set PINHOLE_HOME to a folder on another disk',
        };
  const open = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  const shared: Finding = {
    check: 'data',
    state: 'warn',
    text: `other users can read ${home}`,
    fix: `chmod 700 ${home}`,
  };
  return [space, ...(open ? [shared] : []), ...damagedDatabases(home)];
}

/** Databases that could not be read and were replaced by their last copy. */
function damagedDatabases(home: string): Finding[] {
  const damaged = readdirSync(home).filter((name) => /^pinhole\.db\.damaged-[\dT-]+$/.test(name));
  return damaged.map((name) => ({
    check: 'data',
    state: 'warn',
    text: `pinhole.db was damaged, and its last good copy was used instead; the damaged file is ${join(home, name)}`,
    fix: 'check your allowed folders, selections and queries, then delete the damaged file',
  }));
}

function freeOn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
