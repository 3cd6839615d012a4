import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../contract/errors.ts';
import type { Indexer } from '../jobs/indexers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { CODE_EXACT_JOB, type CodeIndex, listCodeIndexes } from './code-index-list.ts';
import { codeIndexer } from './code-indexer.ts';
import { CodeTrees } from './code-trees.ts';
import { startPool } from './exact/verify-pool.ts';
import { type Exact, openExact } from './exact.ts';
import { buildGate } from './files/build-gate.ts';
import { openSemantic, type Semantic } from './semantic.ts';
import { openSymbols, type Symbols } from './symbols/symbols.ts';

/** Everything that operations need to know about source code. */
export interface Code {
  readonly trees: CodeTrees;
  readonly exact: Exact;
  readonly semantic: Semantic;
  readonly symbols: Symbols;
  /** Builds the indexes of a folder: for exact search, for search by meaning, and of its symbols. */
  readonly indexer: Indexer;
  /** The trees that are indexed, newest first. */
  indexes(): Promise<readonly CodeIndex[]>;
  close(): Promise<void>;
}

export interface CodeOptions {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  /** Watch trees that were searched; without it every search checks every file's time. */
  readonly watch: boolean;
  /** Names the embedding model, if it is not our own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Opens the code subject. Call it before `jobs.recover`, because it registers its kinds of jobs. */
export async function openCode({ jobs, home, log, watch, env }: CodeOptions): Promise<Code> {
  const folder = join(home, 'code');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pool = startPool();
  const stayAwake = buildGate.beforeSteps(() => pool.rest());
  const semantic = openSemantic({
    jobs,
    home,
    log,
    env,
    filesContaining: (tree, filter, word, signal) => exact.filesContaining(tree, filter, word, signal),
  });
  const symbols = openSymbols({
    jobs,
    home,
    log,
    treeAt: (root) => trees.at(root).tree,
    filesWith: (tree, word, signal) => exact.filesWith(tree, word, signal),
  });
  const trees = new CodeTrees({
    folder,
    pool,
    watch,
    onPending({ tree: { root } }) {
      jobs
        .start(CODE_EXACT_JOB, root, { root })
        .catch((error: unknown) => log(`code index of ${root}: ${errorText(error)}`));
    },
    onClose(root) {
      semantic.release(root);
      symbols.release(root);
    },
  });
  const exact = openExact({ trees, jobs, matchFolder: join(folder, 'matches') });
  return {
    trees,
    exact,
    semantic,
    symbols,
    indexer: codeIndexer({ trees, exact, semantic, symbols }, jobs),
    indexes: () => listCodeIndexes(folder, jobs),
    async close() {
      stayAwake();
      await semantic.close();
      await symbols.close();
      await trees.close();
      await pool.close();
    },
  };
}
