import { statSync } from 'node:fs';
import { pathOnDisk } from '../../contract/file-name.ts';

/** How many of the files changed, or went away, after a moment. */
export function changedSince(root: string, paths: Iterable<string>, moment: number): number {
  let changed = 0;
  for (const path of paths) if (isNewer(`${root}/${path}`, moment)) changed++;
  return changed;
}

function isNewer(path: string, moment: number): boolean {
  try {
    const found = statSync(pathOnDisk(path), { throwIfNoEntry: false });
    // The moment is in whole milliseconds, and file times are finer: a file written just before it is not newer.
    return found === undefined || found.ctimeMs >= moment + 1;
  } catch {
    return true;
  }
}
