import { readFileSync, statfsSync } from 'node:fs';
import { isInside } from '../../contract/roots.ts';
import type { ScanOptions } from '../tree/tree-columns.ts';

const INOTIFY_FOLDER = '/proc/sys/fs/inotify';

/** How many events the system queues for a process before it drops them. */
export function eventQueue(): number {
  return systemNumber(`${INOTIFY_FOLDER}/max_queued_events`) ?? 16_384;
}

/**
 * How many folders may be watched: the setting, or a third of what the system allows per user, so that source trees can
 * be watched besides.
 */
export function maxWatches(setting: string | undefined): number {
  const wanted = setting === undefined || setting.trim() === '' ? Number.NaN : Number(setting);
  if (Number.isInteger(wanted) && wanted >= 0) return wanted;
  return Math.floor((systemNumber(`${INOTIFY_FOLDER}/max_user_watches`) ?? 0) / 3);
}

function systemNumber(file: string): number | undefined {
  try {
    const value = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** File systems that only this machine can change, by their numbers in statfs(2). */
const LOCAL_FILE_SYSTEMS = new Set([
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
 * True if the system reports every change below a root: on Linux, on a local file system, if the index stays on it.
 * Elsewhere a watch gives hints, not certainty.
 */
export function reportsEveryChange(root: string, options: ScanOptions): boolean {
  if (process.platform !== 'linux' || options.followSymlinks || !options.oneFileSystem) return false;
  try {
    return LOCAL_FILE_SYSTEMS.has(statfsSync(root).type);
  } catch {
    return false;
  }
}

/** The mounts below a root as one text. No watch reports a mount, but it changes this text. */
export function mountsBelow(root: string): string {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    // The fifth field of a line is the mount point.
    return lines.filter((line) => isInside(line.split(' ')[4] ?? '/', root)).join('\n');
  } catch {
    return '';
  }
}
