import type { OpenApp } from '../../src/app/open-app.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { ask } from '../support.ts';

/** Indexes a folder and waits for the job to signal its end. */
export async function indexed(house: OpenApp, root: string, who: Partial<Caller>): Promise<string> {
  const { body } = await ask(house, 'index', { root }, who);
  const id: string = body.data.job_id;
  await new Promise<void>((resolve) => {
    const stop = house.services.jobs.watch(id, (job) => {
      if (job.status !== 'done' && job.status !== 'failed') return;
      stop();
      resolve();
    });
    void house.services.jobs.get(id).then((job) => job?.status === 'done' && resolve());
  });
  return body.data.index_id;
}
