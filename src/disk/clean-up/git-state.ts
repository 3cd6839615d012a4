import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { uint8At, uint32At } from '../../contract/at.ts';
import { systemCode } from '../../contract/errors.ts';
import { openHandle } from '../../contract/open-file.ts';
import { isInside } from '../../contract/roots.ts';
import { isDir } from '../scan/node-kinds.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderAt, nameOf } from '../tree/tree-nodes.ts';
import { hashBytes, trackedPaths } from './git-index.ts';

/** How many files cannot be restored from the git repository they are in. */
export interface GitState {
  /** Files that git ignores, such as build output. */
  readonly ignored: number;
  readonly untracked: number;
}

/** A test for whether git ignores a path below the top of a repository. */
export type GitIgnores = (top: string) => (path: string, isFolder: boolean) => boolean;

interface Repository {
  readonly top: string;
  readonly tracked: ReadonlySet<string>;
  readonly ignores: ReturnType<GitIgnores>;
}

const ROWS_PER_SLICE = 20_000;
/** Enough for about ten million files. */
const MAX_FILE_BYTES = 1 << 30;

/**
 * Finds the repository around a path and reads its list of files, once per repository. Undefined outside a repository.
 *
 * Git itself is not run, although `git ls-files -z` and `git check-ignore --stdin` would answer the same: both run the
 * program that a repository's own settings name as `core.fsmonitor` (tried with git 2.39), other settings may follow,
 * and a disk holds repositories of strangers. Where a repository belongs to another user git refuses to answer at all.
 */
export function createGitState(
  tree: Tree,
  gitIgnores: GitIgnores,
): (span: Span, path: string) => Promise<GitState | 'unclear' | undefined> {
  const known = new Map<string, Promise<Repository | 'unclear' | undefined>>();
  const repositoryAt = (folder: string) => {
    const repository = known.get(folder) ?? readRepository(folder, tree.meta.root, gitIgnores);
    known.set(folder, repository);
    return repository;
  };
  return async (span, path) => {
    let folder = dirname(path);
    for (; isInside(folder, tree.meta.root); folder = dirname(folder)) {
      const repository = await repositoryAt(folder);
      if (repository !== undefined)
        return repository === 'unclear' ? 'unclear' : stateOf(tree, span, repository);
      if (folder === dirname(folder)) break;
    }
    return undefined;
  };
}

async function readRepository(
  top: string,
  root: string,
  gitIgnores: GitIgnores,
): Promise<Repository | 'unclear' | undefined> {
  const git = await lstat(join(top, '.git')).catch(() => undefined);
  if (git === undefined) return undefined;
  const folder = git.isDirectory() ? join(top, '.git') : await linkedRepository(top, root);
  if (folder === undefined) return 'unclear';
  const index = await readGitFile(join(folder, 'index'));
  if (index === 'unclear') return 'unclear';
  const common = (await textOf(join(folder, 'commondir')))?.trim() ?? '.';
  const config = (await textOf(join(resolve(folder, common), 'config'))) ?? '';
  // Without an index, nothing has been added yet.
  const paths = index === undefined ? [] : trackedPaths(index, hashBytes(config));
  return paths === undefined ? 'unclear' : { top, tracked: new Set(paths), ignores: gitIgnores(top) };
}

/**
 * Git's folder for a work tree or a submodule. If it is outside the disk index, it must point back to this place,
 * because anyone can write a file that points anywhere.
 */
async function linkedRepository(top: string, root: string): Promise<string | undefined> {
  const dotGit = join(top, '.git');
  const pointer = /^gitdir:\s*(.+)$/m.exec((await textOf(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return undefined;
  const folder = await realpath(resolve(top, pointer.trim())).catch(() => undefined);
  if (folder === undefined || isInside(folder, root)) return folder;
  const back = (await textOf(join(folder, 'gitdir')))?.trim();
  return back !== undefined && resolve(folder, back) === dotGit ? folder : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  const content = await readGitFile(path);
  return content === undefined || content === 'unclear' ? undefined : content.toString('utf8');
}

/** The content of a regular file; undefined if it does not exist. Anything else, such as a pipe, could block. */
async function readGitFile(path: string): Promise<Buffer | 'unclear' | undefined> {
  try {
    const handle = await openHandle(path, 'anywhere');
    try {
      const { size } = await handle.stat().then((stats) => (stats.isFile() ? stats : { size: -1 }));
      return size < 0 || size > MAX_FILE_BYTES ? 'unclear' : await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : 'unclear';
  }
}

async function stateOf(tree: Tree, { from, to }: Span, repository: Repository): Promise<GitState> {
  const { top, tracked, ignores } = repository;
  const paths = folderPaths(tree);
  let ignored = 0;
  let untracked = 0;
  let seen = 0;
  for (let row = from; row <= to; row++) {
    if (++seen % ROWS_PER_SLICE === 0) await new Promise(setImmediate);
    if (isDir(uint8At(tree.kind, row))) {
      // Git's own files are not the user's work.
      if (nameOf(tree, row) === '.git') row = uint32At(tree.dirLast, folderAt(tree, row));
      continue;
    }
    const path = `${paths(uint32At(tree.parent, row))}/${nameOf(tree, row)}`;
    if (tracked.has(path.slice(top.length + 1))) continue;
    if (ignores(path, false)) ignored++;
    else untracked++;
  }
  return { ignored, untracked };
}
