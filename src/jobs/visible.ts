import { isAbsolute } from 'node:path';
import { fail } from '../contract/errors.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import { refuseOtherKind } from '../store/handle-kinds.ts';
import type { Job, Jobs } from './jobs.ts';

/** True when a caller may know of a job: it is about no folder, or about one that the caller may read. */
export function maySeeJob({ key }: Pick<Job, 'key'>, { folders }: Pick<Roots, 'folders'>): boolean {
  // Work on a folder is named by it.
  return !isAbsolute(key) || folders.some((folder) => isInside(key, folder));
}

/** The job with this handle; one that the caller may not know of is as one that does not exist. */
export async function visibleJob(
  { jobs, roots }: { readonly jobs: Jobs; readonly roots: Pick<Roots, 'folders'> },
  id: string,
): Promise<Job> {
  refuseOtherKind('j', id);
  const job = await jobs.get(id);
  if (job === undefined || !maySeeJob(job, roots)) fail('not_found', `There is no job '${id.slice(0, 20)}'.`);
  return job;
}
