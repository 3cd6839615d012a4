import type { Indexer } from '../jobs/indexer.ts';
import type { Code } from './code.ts';
import type { Semantic } from './semantic.ts';

/** Builds both indexes of a tree: exact search as the job that is followed, meaning right beside it. */
export function codeIndexer(code: Code, semantic: Semantic, log: (line: string) => void): Indexer {
  return {
    async startIndex(request) {
      const started = await code.startIndex(request);
      const { tree } = await code.place(request.root, request.allowed);
      semantic
        .settled(tree)
        .catch((error: unknown) => log(`search by meaning of ${request.root}: ${String(error)}`));
      return started;
    },
  };
}
