import { dirname, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import { gitOutput } from '../../contract/run-git.ts';
import { workTreeAround } from '../git/work-tree.ts';
import type { CommitServices } from '../services.ts';

/** A repository that the caller may read. */
export interface AskedRepository {
  readonly root: string;
  /** Its number in the index. */
  readonly id: number;
}

/** How long a query waits for the first reading of commits and edits. */
const MAX_WAIT_MS = 15_000;

/** The root of the repository around a path, if the caller may read it. */
export async function repositoryAround(
  path: string,
  isFolder: boolean,
  { roots, signal }: CallContext,
): Promise<{ readonly root: string; readonly below: string }> {
  const real = await roots.resolve(path);
  const folder = isFolder ? real : dirname(real);
  const root =
    workTreeAround(folder) ?? (await gitOutput(folder, ['rev-parse', '--show-toplevel'], signal))?.trim();
  if (root === undefined || root === '') fail('not_found', `'${real}' is not in a git repository.`);
  return { root, below: relative(root, real).replaceAll('\\', '/') };
}

/** The repository with its commits and links up to date. */
export async function upToDate(
  root: string,
  { commits, sessions, signal }: CallContext & CommitServices,
): Promise<AskedRepository> {
  // If the log of a session is not read yet, its commits would seem to come from no session.
  const { fresh, done = 0, total = 0 } = await sessions.reading.settled(MAX_WAIT_MS / 2);
  if (!fresh) {
    const share = Math.floor((100 * done) / Math.max(1, total));
    fail('search_timeout', `${share} % of the session logs are read so far. Ask again in a few seconds.`);
  }
  const late = delay(MAX_WAIT_MS, 'late' as const, { signal, ref: false });
  const id = await Promise.race([commits.refresh(root), late]);
  if (id === 'late')
    fail('search_timeout', 'Commits and the edits of sessions are being read. Ask again in a few seconds.');
  return { root, id: id ?? fail('not_found', `'${root}' is not a git repository.`) };
}
