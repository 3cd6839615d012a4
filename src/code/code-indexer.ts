import type { Indexer } from '../jobs/indexers.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import type { Code } from './code.ts';
import { CODE_INDEX_JOB } from './code-index-list.ts';
import { isLarge } from './files/build-gate.ts';

/**
 * Builds all indexes of a tree as one job, which is done once all of them are. Call it before `jobs.recover`, because
 * it registers a kind of job.
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
    /** A part with nothing to do reports no progress, but counts as done. */
    const part = async <Report>(
      name: keyof typeof shares,
      work: (onProgress: (done: number, total: number) => void) => Promise<Report>,
    ): Promise<Report> => {
      const report = await work((done, total) => advance(name, done / Math.max(1, total)));
      advance(name, 1);
      return report;
    };
    const buildExact = () => part('exact', (onProgress) => exact.build(root, signal, onProgress));
    const buildMeaning = () => part('semantic', (onProgress) => semantic.build(tree, signal, onProgress));
    const buildSymbols = () => part('symbols', (onProgress) => symbols.build(tree, signal, onProgress));
    if (!isLarge(tree)) return (await Promise.all([buildExact(), buildMeaning(), buildSymbols()]))[0];
    // They would take turns anyway, and even lists of files that wait for theirs take much memory.
    const report = await buildExact();
    await buildMeaning();
    await buildSymbols();
    return report;
  };
  jobs.register({ name: CODE_INDEX_JOB, afterRestart: 'resume', run: build });
  return {
    async startIndex({ root }) {
      return { job: await jobs.start(CODE_INDEX_JOB, root, { root }) };
    },
  };
}
