import { readFileSync, statfsSync } from 'node:fs';
import { isInside } from '../../contract/roots.ts';
import type { ScanOptions } from '../tree/disk-tree.ts';

const FOLDER = '/proc/sys/fs/inotify';

/** Events the system keeps for us before it drops them. */
export function eventQueue(): number {
  return systemNumber(`${FOLDER}/max_queued_events`) ?? 16_384;
}

/** How many folders may be watched: what was set, else half of what the system grants a user. */
export function mostWatches(setting: string | undefined): number {
  const wanted = setting === undefined || setting.trim() === '' ? Number.NaN : Number(setting);
  if (Number.isInteger(wanted) && wanted >= 0) return wanted;
  return Math.floor((systemNumber(`${FOLDER}/max_user_watches`) ?? 0) / 2);
}

function systemNumber(file: string): number | undefined {
  try {
    const value = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** File systems of this machine alone, by the numbers in statfs(2): whatever changes there passes this kernel. */
const LOCAL = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0xf2f52010, // f2fs
  0x794c7630, // overlay
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
]);

/**
 * True when every change below a root is told by the system: on Linux, on a local file system, and where the index
 * cannot lead into others. Elsewhere a watch is a hint and no proof.
 */
export function tellsAll(root: string, options: ScanOptions): boolean {
  if (process.platform !== 'linux' || options.followSymlinks || !options.oneFileSystem) return false;
  try {
    return LOCAL.has(statfsSync(root).type);
  } catch {
    return false;
  }
}

/** The mounts below a root as one text. What appears by mounting is told by no watch, but it changes this. */
export function mountsBelow(root: string): string {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return lines.filter((line) => isInside(line.split(' ')[4] ?? '/', root)).join('\n');
  } catch {
    return '';
  }
}
