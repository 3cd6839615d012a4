import type { Indexer } from '../jobs/indexers.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import type { Code } from './code.ts';
import { CODE_INDEX_JOB } from './code-index-list.ts';

/**
 * Builds all indexes of a tree as one job, which is done when all are. Call it before `jobs.recover`, because it
 * registers a kind of job.
 */
export function codeIndexer(
  { trees, exact, semantic, symbols }: Pick<Code, 'trees' | 'exact' | 'semantic' | 'symbols'>,
  jobs: Jobs,
): Indexer {
  const build = async ({ params, signal, progress }: JobContext): Promise<JobReport> => {
    const root = String(params.root);
    const { tree } = trees.at(root);
    await tree.refresh();
    const shares = { exact: 0, semantic: 0, symbols: 0 };
    const advance = (part: keyof typeof shares, share: number) => {
      shares[part] = Math.max(shares[part], share);
      const total = tree.files.size;
      const done = Math.floor(((shares.exact + shares.semantic + shares.symbols) / 3) * total);
      progress({ done, total, unit: 'files', phase: 'indexing' });
    };
    const buildExact = async () => {
      const report = await exact.build(root, signal, (done, total) =>
        advance('exact', done / Math.max(1, total)),
      );
      advance('exact', 1);
      return report;
    };
    const [report] = await Promise.all([
      buildExact(),
      semantic.build(tree, signal, (done, total) => advance('semantic', done / Math.max(1, total))),
      symbols.build(tree, signal, (done, total) => advance('symbols', done / Math.max(1, total))),
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
