import { type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOnDisk } from '../../contract/file-name.ts';
import { excludeFile, globalConfigFiles, globalExcludesFile, IGNORE_FILES } from './ignore-rules.ts';

/**
 * State that decides which files a tree has but that no watch of its folders reports: ignore files above the root,
 * git's own, and the root folder, which can be replaced under its name.
 */
export type Outside = ReadonlyMap<string, string>;

/** The state of everything outside a root. Taken before its ignore files are read. */
export function outsideOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const note = (path: string) => found.set(path, stateOf(path));
  note(root);
  for (const file of [...globalConfigFiles(), globalExcludesFile()]) note(file);
  for (let folder = root; folder !== dirname(folder); ) {
    folder = dirname(folder);
    for (const name of [...IGNORE_FILES, '.git']) note(join(folder, name));
    noteRepository(folder, found);
  }
  noteRepository(root, found);
  return found;
}

/** Adds the exclude file of a repository. */
export function noteRepository(folder: string, into: Map<string, string>): void {
  if (stateOf(join(folder, '.git')) === NOTHING) return;
  const file = excludeFile(folder);
  into.set(file, stateOf(file));
}

/** Whether nothing changed. */
export function isSame(outside: Outside): boolean {
  for (const [path, state] of outside) if (stateOf(path) !== state) return false;
  return true;
}

/**
 * Identifies a folder: a different one under the same name has another inode or, if inodes are reused, another birth
 * time.
 */
export function folderId({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`;
}

const NOTHING = '';

/** Folders are compared without their content, files by times and size. */
function stateOf(path: string): string {
  try {
    const found = statSync(pathOnDisk(path), { throwIfNoEntry: false });
    if (found === undefined) return NOTHING;
    if (found.isDirectory()) return folderId(found);
    return `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
  } catch {
    return NOTHING;
  }
}
