import { accessSync, constants, mkdirSync, statfsSync, statSync } from 'node:fs';
import { systemCode } from '../contract/errors.ts';
import { sizeText } from '../contract/format.ts';
import type { Finding } from './doctor-finding.ts';

const NODE_NEEDED = [20, 19] as const;
const MB = 1_000_000;
/** Indexes of a large disk and a large repository fit into this. */
const ROOM_WANTED = 1_000 * MB;
const ROOM_NEEDED = 100 * MB;

/** Whether this Node.js is new enough. */
export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
  return enough
    ? { check: 'node', state: 'ok', text: `Node.js ${version}` }
    : {
        check: 'node',
        state: 'fail',
        text: `Node.js ${version} is too old`,
        fix: `install Node.js ${NODE_NEEDED.join('.')} or newer`,
      };
}

/** Whether the data folder can be written, is private, and has room. */
export function checkDataFolder(
  home: string,
  freeBytes: (path: string) => number = freeOn,
): readonly Finding[] {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [
      {
        check: 'data',
        state: 'fail',
        text: `${home} cannot be written (${systemCode(error) ?? String(error)})`,
        fix: 'set PINHOLE_HOME to a folder that can',
      },
    ];
  }
  const free = freeBytes(home);
  const room = `${home}, ${sizeText(free)} free`;
  const space: Finding =
    free >= ROOM_WANTED
      ? { check: 'data', state: 'ok', text: room }
      : {
          check: 'data',
          state: free >= ROOM_NEEDED ? 'warn' : 'fail',
          text: room,
          fix: 'make room, or set PINHOLE_HOME to a folder on another disk',
        };
  const open = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  const shared: Finding = {
    check: 'data',
    state: 'warn',
    text: `other users can look into ${home}`,
    fix: `chmod 700 ${home}`,
  };
  return open ? [space, shared] : [space];
}

function freeOn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
