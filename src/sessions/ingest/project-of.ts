import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readStart } from '../../contract/open-file.ts';

/** Folders in a repository that tools create worktrees in: `.worktrees`, or `worktrees` in a folder of the tool. */
const WORKTREE = /^(.+?)\/\.(?:[\w-]+\/)?worktrees\/[^/]+/;

const MAX_KNOWN = 10_000;
const known = new Map<string, string>();

/**
 * The project a folder belongs to: the root of its repository, the same for all worktrees. If the folder is gone, the
 * path alone decides.
 */
export function projectOf(cwd: string): string {
  const cached = known.get(cwd);
  if (cached !== undefined) return cached;
  const project = repositoryRoot(cwd) ?? WORKTREE.exec(cwd)?.[1] ?? cwd.replace(/(.)\/+$/, '$1');
  if (known.size > MAX_KNOWN) known.clear();
  known.set(cwd, project);
  return project;
}

/** The id of a project; logs that do not name the path of their project may have this hash instead. */
export function projectHash(project: string): string {
  return createHash('sha256').update(project).digest('hex');
}

function repositoryRoot(cwd: string): string | undefined {
  if (!cwd.startsWith('/')) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    try {
      const stats = statSync(git);
      if (stats.isDirectory()) return folder;
      return mainOfWorktree(git, folder) ?? folder;
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
