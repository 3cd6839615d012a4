import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders looked at on each level; a plain folder with thousands of others must not slow down a question. */
const MAX_FOLDERS = 100;

/** Whether a folder contains several repositories, as `~/code` does, directly or one folder deeper. */
export function holdsRepositories(folder: string): boolean {
  if (isInRepository(folder)) return false;
  let found = 0;
  const others: string[] = [];
  for (const one of foldersIn(folder)) {
    if (isRepository(one)) found++;
    else others.push(one);
  }
  for (const other of others) {
    if (found > 1) break;
    found += foldersIn(other).filter(isRepository).length;
  }
  return found > 1;
}

/** In a worktree `.git` is a file. */
const isRepository = (folder: string): boolean => existsSync(join(folder, '.git'));

function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return isRepository(folder) || (parent !== folder && isInRepository(parent));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .slice(0, MAX_FOLDERS)
      .map(({ name }) => join(folder, name));
  } catch {
    // A folder that was deleted or cannot be read contains nothing to search.
    return [];
  }
}
