import { Lru } from '../../contract/lru.ts';
import type { Tree } from '../tree/tree-columns.ts';
import type { Marks } from '../watch/folder-marks.ts';
import type { Freshness } from './freshness.ts';

/** A generation in memory, with what is known about its folders since it was made. */
export interface LoadedTree {
  readonly tree: Tree;
  readonly marks: Marks;
  /** False: it was loaded from its file, and nothing has watched its folders since that was written. */
  readonly watchedSinceScan: boolean;
  /** When an automatic rescan was last started. */
  rescanStartedAt?: number;
  /** The freshness of folders at a version of the marks. */
  counted?: {
    readonly version: number;
    readonly unseen: number;
    readonly folders: Lru<number, Freshness>;
  };
}

/** Above this total, trees are dropped, least recently used first. */
const MAX_BYTES_IN_MEMORY = 600 << 20;

/** The trees in memory by index. */
export class LoadedTrees {
  readonly #trees: Lru<number, LoadedTree>;
  readonly #loading = new Map<number, Promise<LoadedTree | undefined>>();

  constructor(dropped: (index: number) => void) {
    const weight = { of: ({ tree }: LoadedTree) => tree.buffer.byteLength, most: MAX_BYTES_IN_MEMORY };
    this.#trees = new Lru({ weight, dropped: (_, index) => dropped(index) });
  }

  get(index: number): LoadedTree | undefined {
    return this.#trees.peek(index);
  }

  /** The tree in memory, or the one that `read` loads; simultaneous calls wait for the same load. */
  async load(index: number, read: () => Promise<LoadedTree | undefined>): Promise<LoadedTree | undefined> {
    const known = this.#trees.get(index);
    if (known !== undefined) return known;
    const running = this.#loading.get(index) ?? read();
    this.#loading.set(index, running);
    return running.finally(() => this.#loading.delete(index));
  }

  set(index: number, loaded: LoadedTree): LoadedTree {
    this.#trees.set(index, loaded);
    return loaded;
  }

  delete(index: number): void {
    this.#trees.delete(index);
  }

  [Symbol.iterator](): Iterator<[number, LoadedTree]> {
    return this.#trees[Symbol.iterator]();
  }
}
