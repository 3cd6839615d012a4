import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { isDir } from '../scan/kinds.ts';
import { folderAt, nameOf } from '../tree/nodes.ts';
import { folderPaths } from '../tree/paths.ts';
import type { Span } from '../tree/selection.ts';
import type { Tree } from '../tree/tree.ts';
import { trackedPaths } from './git-index.ts';

/** Files that no commit of the repository around them can bring back. */
export interface GitState {
  /** Git was told to pay no attention to them, such as to what a build made. */
  readonly ignored: number;
  readonly untracked: number;
}

/** Tells of paths below the top of a repository whether git was told to ignore them. */
export type GitIgnores = (top: string) => (path: string, isFolder: boolean) => boolean;

interface Repository {
  readonly top: string;
  readonly tracked: ReadonlySet<string>;
  readonly ignores: ReturnType<GitIgnores>;
}

const ROWS_AT_ONCE = 20_000;

/**
 * Looks for the repositories of an index, and reads the list of files of each once. Git itself is not run: a
 * repository's settings can make it run programs. Undefined where no repository is, or its list is not understood.
 */
export function createGitState(
  tree: Tree,
  gitIgnores: GitIgnores,
): (span: Span, path: string) => Promise<GitState | undefined> {
  const known = new Map<string, Promise<Repository | 'unclear' | undefined>>();
  const repositoryAt = (folder: string) => {
    const repository = known.get(folder) ?? readRepository(folder, gitIgnores);
    known.set(folder, repository);
    return repository;
  };
  return async (span, path) => {
    let folder = dirname(path);
    for (; isInside(folder, tree.meta.root); folder = dirname(folder)) {
      const repository = await repositoryAt(folder);
      if (repository !== undefined)
        return repository === 'unclear' ? undefined : stateOf(tree, span, repository);
      if (folder === dirname(folder)) break;
    }
    return undefined;
  };
}

async function readRepository(
  top: string,
  gitIgnores: GitIgnores,
): Promise<Repository | 'unclear' | undefined> {
  const git = await lstat(join(top, '.git')).catch(() => undefined);
  if (git === undefined) return undefined;
  // A work tree of a repository that lies elsewhere, which may not be looked at from here.
  if (!git.isDirectory()) return 'unclear';
  const index = await readFile(join(top, '.git', 'index')).catch((error: unknown) =>
    systemCode(error) === 'ENOENT' ? 'nothing added yet' : undefined,
  );
  const paths = index === 'nothing added yet' ? [] : index && trackedPaths(index);
  return paths === undefined ? 'unclear' : { top, tracked: new Set(paths), ignores: gitIgnores(top) };
}

async function stateOf(tree: Tree, { from, to }: Span, repository: Repository): Promise<GitState> {
  const { top, tracked, ignores } = repository;
  const paths = folderPaths(tree);
  let ignored = 0;
  let untracked = 0;
  let seen = 0;
  for (let row = from; row <= to; row++) {
    if (++seen % ROWS_AT_ONCE === 0) await new Promise(setImmediate);
    if (isDir(tree.kind[row] ?? 0)) {
      // What git keeps for itself is no one's work.
      if (nameOf(tree, row) === '.git') row = tree.dirLast[folderAt(tree, row)] ?? row;
      continue;
    }
    const path = `${paths(tree.parent[row] ?? 0)}/${nameOf(tree, row)}`;
    if (tracked.has(path.slice(top.length + 1))) continue;
    if (ignores(path, false)) ignored++;
    else untracked++;
  }
  return { ignored, untracked };
}
