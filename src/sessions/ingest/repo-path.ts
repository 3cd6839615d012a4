import { dirname } from 'node:path';
import { checkoutOf, insideWorktree, repositoryName } from './project-of.ts';

/** A file's path in its repository, the same in every checkout. */
export interface RepoPath {
  /** The name of the repository; undefined for a file outside any repository. */
  readonly repo: string | undefined;
  readonly path: string;
}

const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)(?=[\\/]|$)/;

/**
 * The path of a file from the root of its repository: the checkout that the session works in, a worktree (`worktrees`
 * are those that sessions work in), or a repository on this disk. Elsewhere, home folders become `~`.
 */
export function repoPathOf(path: string, cwd: string | undefined, worktrees: ReadonlySet<string>): RepoPath {
  const checkout = cwd === undefined || isHome(cwd) ? undefined : checkoutOf(cwd);
  for (let folder = dirname(path); folder.length > 1; folder = dirname(folder)) {
    if (worktrees.has(folder))
      return { repo: repositoryName(checkoutOf(folder).project), path: below(path, folder) };
    if (folder === dirname(folder)) break;
  }
  const inside = insideWorktree(path);
  if (checkout !== undefined && inside === undefined) {
    for (const root of [checkout.root, checkout.project])
      if (path.startsWith(`${root}/`))
        return { repo: repositoryName(checkout.project), path: below(path, root) };
  }
  const other = path.startsWith('/') ? checkoutOf(dirname(path)) : undefined;
  if (other?.found === true) return { repo: repositoryName(other.project), path: below(path, other.root) };
  if (inside !== undefined && other !== undefined)
    return { repo: repositoryName(other.project), path: inside };
  return { repo: undefined, path: path.replace(HOME, '~') };
}

/** The name of the person whose home folder a path is in; '' elsewhere. */
export function personOf(path: string): string {
  return /[^\\/]+$/.exec(HOME.exec(path)?.[0] ?? '')?.[0] ?? '';
}

/** Whether a folder is a worktree of a repository, so that files below it get their paths in that repository. */
export function isWorktree(cwd: string): boolean {
  const { root, project } = checkoutOf(cwd);
  return root !== project;
}

function below(path: string, folder: string): string {
  return path.slice(folder.length + 1);
}

function isHome(folder: string): boolean {
  return folder === '/' || HOME.exec(folder)?.[0] === folder;
}
