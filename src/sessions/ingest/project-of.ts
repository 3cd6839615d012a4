import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readStart } from '../../contract/open-file.ts';

/** Folders in a repository that tools create worktrees in: `.worktrees`, or `worktrees` in a folder of the tool. */
const WORKTREE = /^(.+?)\/\.(?:[\w-]+\/)?worktrees\/[^/]+/;

/** A folder with a checked-out repository. */
export interface Checkout {
  readonly root: string;
  /** The main checkout, the same for all worktrees. */
  readonly project: string;
  /** The repository is on this disk; otherwise the result is guessed from the path. */
  readonly found: boolean;
}

const MAX_CACHED_CHECKOUTS = 10_000;
const known = new Map<string, Checkout>();

/** The checkout that a folder belongs to. If the folder is gone, the path alone decides. */
export function checkoutOf(cwd: string): Checkout {
  const cached = known.get(cwd);
  if (cached !== undefined) return cached;
  const checkout = repositoryRoot(cwd) ?? guessed(cwd.replace(/(.)\/+$/, '$1'));
  if (known.size > MAX_CACHED_CHECKOUTS) known.clear();
  known.set(cwd, checkout);
  return checkout;
}

/** The project a folder belongs to: the root of its repository, the same for all worktrees. */
export function projectOf(cwd: string): string {
  return checkoutOf(cwd).project;
}

function guessed(cwd: string): Checkout {
  return { root: cwd, project: WORKTREE.exec(cwd)?.[1] ?? cwd, found: false };
}

/** The name of a project's repository, the same in every clone: that of its remote, else that of its folder. */
export function repositoryName(project: string): string {
  const cached = names.get(project);
  if (cached !== undefined) return cached;
  const name = remoteName(project) ?? (basename(project).replace(DATE, '') || basename(project));
  if (names.size > MAX_CACHED_CHECKOUTS) names.clear();
  names.set(project, name);
  return name;
}

const names = new Map<string, string>();
/** Clones made for one task often have the date in their name: `20260205-cli`. */
const DATE = /^20\d{2}-?\d{2}-?\d{2}[-_.]|[-_.]20\d{2}-?\d{2}-?\d{2}$/;

/** The last part of the remote's address. */
function remoteName(project: string): string | undefined {
  return /([^/:]+?)(?:\.git)?$/.exec(remoteAddress(project) ?? '')?.[1];
}

/** The address of `origin`, or of the first remote, from the git config. */
export function remoteAddress(project: string): string | undefined {
  let config: string;
  try {
    config = readStart(join(project, '.git/config'), 'anywhere', 64 * 1024).bytes.toString('utf8');
  } catch {
    return undefined;
  }
  const remotes = [...config.matchAll(/^\[remote "([^"]+)"\]\s*\n((?!\[)[\s\S]*?)(?=^\[|$(?![\s\S]))/gm)];
  const remote = remotes.find(([, name]) => name === 'origin') ?? remotes[0];
  return /^\s*url\s*=\s*(.+?)[\s/]*$/m.exec(remote?.[2] ?? '')?.[1];
}

/** The path inside a worktree that a tool created in a repository; undefined for other paths. */
export function insideWorktree(path: string): string | undefined {
  const worktree = WORKTREE.exec(path)?.[0];
  return worktree === undefined ? undefined : path.slice(worktree.length + 1);
}

/** The id of a project; logs that do not name their project's path may have this hash instead. */
export function projectHash(project: string): string {
  return createHash('sha256').update(project).digest('hex');
}

function repositoryRoot(cwd: string): Checkout | undefined {
  if (!cwd.startsWith('/')) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    try {
      const stats = statSync(git);
      const project = stats.isDirectory() ? folder : (mainOfWorktree(git, folder) ?? folder);
      return { root: folder, project, found: true };
    } catch {
      if (folder === dirname(folder)) return undefined;
    }
  }
}

/** A worktree's `.git` is a file that points into `<main>/.git/worktrees/<name>`. */
function mainOfWorktree(git: string, folder: string): string | undefined {
  const said = readStart(git, 'anywhere', 4096).bytes.toString('utf8');
  const pointer = /^gitdir: (.+)$/m.exec(said)?.[1];
  if (pointer === undefined) return undefined;
  const main = /^(.*)\/\.git\/worktrees\/[^/]+\/?$/.exec(resolve(folder, pointer.trim()))?.[1];
  return main;
}
