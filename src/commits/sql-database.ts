import { setTimeout as delay } from 'node:timers/promises';
import type { CallContext } from '../contract/operation.ts';
import { isInside } from '../contract/roots.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import type { Commits } from './commits.ts';
import { repositoryAround } from './operations/repository.ts';
import type { CommitServices } from './services.ts';

/** How long a query waits for the first reading of commits. */
const MAX_WAIT_MS = 10_000;
const MAX_PROJECTS = 20;

/** The file behind the tables of commits, with the repositories of the caller's folders up to date. */
export async function commitsDatabase(ctx: CallContext & CommitServices): Promise<SqlDatabase> {
  const { commits, sessions, roots, caller, signal } = ctx;
  const { fresh } = await sessions.reading.settled(MAX_WAIT_MS / 2);
  const projects = (await sessions.list.projects(undefined, MAX_PROJECTS)).flatMap(({ path }) => path ?? []);
  const folders = projects.filter((path) => roots.folders.some((root) => isInside(path, root)));
  const known = new Set<string>();
  for (const folder of [caller.cwd ?? '.', ...folders]) {
    // A project may not be a repository, and its folder may be gone.
    const found = await repositoryAround(folder, true, ctx).catch(() => undefined);
    if (found !== undefined && roots.folders.some((root) => isInside(found.root, root)))
      known.add(found.root);
  }
  const late = delay(MAX_WAIT_MS, 'late' as const, { signal, ref: false });
  const unread = (await Promise.race([refreshAll(known, commits), late])) === 'late' || !fresh;
  return {
    file: commits.file,
    within: roots.folders,
    incomplete: unread ? 'Commits are still being read: some are missing, or lack their session.' : undefined,
  };
}

/** One after another, because each also reads the new edits. */
async function refreshAll(roots: Iterable<string>, commits: Commits): Promise<void> {
  for (const root of roots) await commits.refresh(root);
}
