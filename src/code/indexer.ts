import type { Indexer } from '../jobs/indexers.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { CODE_INDEX_JOB } from './catalog.ts';
import type { Code } from './code.ts';
import type { Semantic } from './semantic.ts';

/**
 * Builds both indexes of a tree, for exact search and for search by meaning, as one job that is done when both are.
 * Call before `jobs.recover`, since it registers its kind of job.
 */
export function codeIndexer(code: Code, semantic: Semantic, jobs: Jobs): Indexer {
  const build = async ({ params, signal, progress }: JobContext): Promise<JobReport> => {
    const root = String(params.root);
    const tree = await code.tree(root);
    const shares = { exact: 0, meaning: 0 };
    const tell = (part: keyof typeof shares, share: number) => {
      shares[part] = Math.max(shares[part], share);
      const total = tree.files.size;
      const done = Math.floor(((shares.exact + shares.meaning) / 2) * total);
      progress({ done, total, unit: 'files', phase: 'indexing' });
    };
    const exact = code
      .build(root, signal, (done, total) => tell('exact', done / Math.max(1, total)))
      .then((report) => {
        tell('exact', 1);
        return report;
      });
    const [report] = await Promise.all([
      exact,
      semantic.build(tree, signal, (done, total) => tell('meaning', done / Math.max(1, total))),
    ]);
    return report;
  };
  jobs.register({ name: CODE_INDEX_JOB, afterRestart: 'resume', run: build });
  return {
    async startIndex({ root }) {
      return { job: await jobs.start(CODE_INDEX_JOB, root, { root }) };
    },
  };
}
