import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ExactQuery, ExactSearch } from './exact/exact-query.ts';
import { prepareSearch } from './exact/exact-search.ts';
import type { SearchTarget } from './exact/search-target.ts';
import type { VerifyPool } from './exact/verify-pool.ts';
import { buildGate, isLarge } from './files/build-gate.ts';
import type { Freshness, SourceTree } from './files/source-tree.ts';
import { type PrintQuery, type PrintSums, printSearch } from './grep-output/print-search.ts';
import { TrigramIndex } from './trigram/trigram-index.ts';

/** Fewer pending files, and fewer bytes, are cheaper to search directly than to index. */
const WORTH_FILES = 200;
const WORTH_BYTES = 2 * 1024 * 1024;

/** Called when enough files are pending to be worth indexing. */
export type OnPending = (tree: IndexedTree) => void;

/** A source tree with its index for exact search. */
export class IndexedTree {
  readonly tree: SourceTree;
  readonly #folder: string;
  readonly #pool: VerifyPool;
  readonly #onPending: OnPending;
  #index: TrigramIndex | undefined;
  #opening: Promise<TrigramIndex> | undefined;
  #building: Promise<void> | undefined;

  constructor(tree: SourceTree, dataFolder: string, pool: VerifyPool, onPending: OnPending) {
    this.tree = tree;
    this.#folder = join(dataFolder, rootId(tree.root), 'trigram');
    this.#pool = pool;
    this.#onPending = onPending;
  }

  /** The index, once the tree has been read. */
  get index(): TrigramIndex | undefined {
    return this.#index;
  }

  /** Prepares a search over the files as they are now. */
  async search(query: ExactQuery, signal: AbortSignal): Promise<ExactSearch> {
    return prepareSearch(query, await this.#target(signal));
  }

  /** Prints all matches in the files as they are now. */
  async *print(query: PrintQuery, sums: PrintSums, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* printSearch(query, await this.#target(signal), sums);
  }

  async #target(signal: AbortSignal): Promise<SearchTarget> {
    const { reason } = await this.refresh();
    const index = await this.#opened();
    const { pending, pendingBytes } = index.state;
    if (
      pending >= WORTH_FILES ||
      pendingBytes >= WORTH_BYTES ||
      (pending > 0 && index.state.segments === 0)
    ) {
      this.#onPending(this);
    }
    return { tree: this.tree, index, pool: this.#pool, doubt: reason, signal };
  }

  /** Brings the list of files up to date. */
  async refresh(): Promise<Freshness> {
    const freshness = await this.tree.refresh();
    await this.#opened();
    return freshness;
  }

  /** Indexes what is pending; joins a build that is already running. */
  async build(signal: AbortSignal, progress: (done: number, total: number) => void): Promise<void> {
    if (this.#building !== undefined) return this.#building;
    this.#building = this.#build(signal, progress).finally(() => {
      this.#building = undefined;
    });
    await this.#building;
  }

  async close(): Promise<void> {
    await this.tree.close();
    // If opening failed, the search that waited for it has reported that.
    (await this.#opening?.catch(() => undefined))?.close();
    this.#index = undefined;
    this.#opening = undefined;
  }

  async #build(signal: AbortSignal, progress: (done: number, total: number) => void): Promise<void> {
    await this.refresh();
    const index = await this.#opened();
    const build = () => index.build(signal, progress);
    await (isLarge(this.tree) ? buildGate.run('exact', build) : build());
  }

  #opened(): Promise<TrigramIndex> {
    this.#opening ??= TrigramIndex.open(this.#folder, this.tree).then((index) => {
      this.#index = index;
      return index;
    });
    return this.#opening;
  }
}

/** The name of a root's folder in the data folder. */
export function rootId(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}
