import { isAbsolute } from 'node:path';
import { fail } from '../contract/errors.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import { refuseOtherKind } from '../store/handle-kinds.ts';
import { callIndex } from './calls.ts';
import type { Job, Jobs } from './jobs.ts';

/** Whether a caller may see a job: it is about no folder, or about one that the caller may read. */
export function maySeeJob({ key }: Pick<Job, 'key'>, { folders }: Pick<Roots, 'folders'>): boolean {
  // The key of a job about a folder is its path.
  return !isAbsolute(key) || folders.some((folder) => isInside(key, folder));
}

/** The job with this handle; a job that the caller may not see does not exist for them. */
export async function visibleJob(
  { jobs, roots }: { readonly jobs: Jobs; readonly roots: Pick<Roots, 'folders'> },
  id: string,
): Promise<Job> {
  refuseOtherKind('j', id, callIndex({}));
  const job = await jobs.get(id);
  if (job === undefined || !maySeeJob(job, roots))
    fail('not_found', `No job '${id.slice(0, 20)}'.`, { next: callIndex({}) });
  return job;
}
