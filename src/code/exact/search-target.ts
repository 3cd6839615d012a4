import type { SourceTree } from '../files/source-tree.ts';
import type { TrigramIndex } from '../trigram/trigram-index.ts';
import type { VerifyPool } from './verify-pool.ts';

/** What a search works on; the tree was refreshed for it. */
export interface SearchTarget {
  readonly tree: SourceTree;
  readonly index: TrigramIndex;
  readonly pool: VerifyPool;
  /** Why the list of files may be out of date; undefined if it is not. */
  readonly doubt: string | undefined;
  readonly signal: AbortSignal;
}
