import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathOnDisk } from '../../contract/file-name.ts';
import { enterFolder, type FolderRules, judgeGit } from './ignore-rules.ts';

/**
 * Tells whether git ignores a path below the top of a repository, by itself or because of a folder above it. Callers
 * have to know which files git tracks in spite of that.
 */
export function gitIgnores(top: string): (path: string, isFolder: boolean) => boolean {
  const rules = new Map<string, FolderRules>();
  const ignored = new Map<string, boolean>([[top, false]]);
  const rulesOf = (folder: string): FolderRules => {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const parent = folder === top ? undefined : rulesOf(dirname(folder));
    const own = enterFolder(folder, parent, (name) => existsSync(pathOnDisk(join(folder, name))));
    rules.set(folder, own);
    return own;
  };
  const folderIgnored = (folder: string): boolean => {
    const known = ignored.get(folder);
    if (known !== undefined) return known;
    const result = test(folder, true);
    ignored.set(folder, result);
    return result;
  };
  const test = (path: string, isFolder: boolean): boolean => {
    const folder = dirname(path);
    return folderIgnored(folder) || judgeGit(rulesOf(folder), path, basename(path), isFolder) === 'ignore';
  };
  return test;
}
