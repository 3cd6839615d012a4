import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';

const MAX_BYTES = 64 << 10;

/** Where git keeps its data about a checkout. */
export interface GitFolders {
  /** Only for this checkout: its HEAD. */
  readonly own: string;
  /** Shared by all worktrees: branches and objects. */
  readonly common: string;
}

/**
 * The root of the checkout around a folder, found the way git finds it but without starting git, which would take
 * longer than the rest of a query. Undefined if it is not a plain checkout; then ask git.
 */
export function workTreeAround(folder: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    // In a bare repository and inside `.git` there is no checkout.
    if (isFile(join(root, 'HEAD')) && isFolder(join(root, 'objects'))) return undefined;
    if (isFolder(join(root, '.git')) || isFile(join(root, '.git')))
      return gitFolders(root) === undefined ? undefined : root;
    if (dirname(root) === root) return undefined;
  }
}

/** Git's folders for the root of a checkout, a worktree, a submodule or a bare repository. */
export function gitFolders(root: string): GitFolders | undefined {
  const entry = join(root, '.git');
  const link = isFile(entry) ? /^gitdir: (.+)$/m.exec(text(entry) ?? '')?.[1] : undefined;
  const own = link !== undefined ? resolve(root, link.trim()) : isFolder(entry) ? entry : root;
  if (!isFile(join(own, 'HEAD'))) return undefined;
  const shared = text(join(own, 'commondir'))?.trim();
  return { own, common: shared === undefined ? own : resolve(own, shared) };
}

/** Whether the history is cut off before the first commit, as after `git clone --depth`. */
export function isShallow(root: string): boolean {
  const folders = gitFolders(root);
  return folders !== undefined && isFile(join(folders.common, 'shallow'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function text(path: string): string | undefined {
  try {
    // Git follows links here too, and none of the text is shown.
    return readWhole(path, 'anywhere', MAX_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}
