import { lstatSync } from 'node:fs';
import { pathOnDisk } from '../../contract/file-name.ts';

/** The coarsest tick of the clock that file systems take their times from. */
const TICK_MS = 20;

/**
 * Tells whether paths below a folder have led to the same files since a moment. Renaming a file or a folder, or putting
 * a link in its place and removing it again, leaves a later change time on it. Also false for anything that was changed
 * in another way.
 */
export function unmovedSince(folder: string, moment: number): (path: string) => boolean {
  const before = moment - TICK_MS;
  const folders = new Map<string, boolean>([['', true]]);
  const isStill = (path: string, kind: 'isFile' | 'isDirectory'): boolean => {
    const found = lstatSync(pathOnDisk(`${folder}/${path}`), { throwIfNoEntry: false });
    return found?.[kind]() === true && found.ctimeMs < before;
  };
  const folderIsStill = (path: string): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const still = folderIsStill(parentOf(path)) && isStill(path, 'isDirectory');
    folders.set(path, still);
    return still;
  };
  return (path) => {
    try {
      return isStill(path, 'isFile') && folderIsStill(parentOf(path));
    } catch {
      return false;
    }
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
