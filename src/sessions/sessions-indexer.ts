import type { Indexer } from '../jobs/indexers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Sessions } from './sessions.ts';

const JOB_KIND = 'sessions-index';

/** Scans all log folders as a job; logs that have been read before cost nothing. */
export function sessionsIndexer(sessions: Sessions, jobs: Jobs): Indexer {
  jobs.register({
    name: JOB_KIND,
    afterRestart: 'resume',
    async run() {
      await sessions.reading.refresh();
      const { sessions: count, events } = await sessions.reading.health();
      return { sessions: count, events };
    },
  });
  return { startIndex: async () => ({ job: await jobs.start(JOB_KIND, 'all', {}) }) };
}
