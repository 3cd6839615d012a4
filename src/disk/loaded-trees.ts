import { Lru } from '../contract/lru.ts';
import type { Freshness } from './freshness.ts';
import type { Tree } from './tree/tree.ts';
import type { Marks } from './watch/marks.ts';

/** A generation in memory, with what is known of its folders since it was made. */
export interface LoadedTree {
  readonly tree: Tree;
  readonly marks: Marks;
  /** False: it comes from its file, and nobody has watched since it was written. */
  readonly attended: boolean;
  /** When a rescan was begun without being asked for. */
  triedAt?: number;
  /** What was counted of the marks at that version of them. */
  counted?: { readonly version: number; readonly unseen: number; readonly fresh: Freshness };
}

/** Above so many bytes trees are dropped, least recently used first. */
const MOST_BYTES = 600 << 20;

/** The trees in memory by index. */
export class LoadedTrees {
  readonly #trees: Lru<number, LoadedTree>;
  readonly #loading = new Map<number, Promise<LoadedTree | undefined>>();

  constructor(dropped: (index: number) => void) {
    const weight = { of: ({ tree }: LoadedTree) => tree.buffer.byteLength, most: MOST_BYTES };
    this.#trees = new Lru({ weight, dropped: (_, index) => dropped(index) });
  }

  get(index: number): LoadedTree | undefined {
    return this.#trees.peek(index);
  }

  /** The tree in memory, or what `read` brings; who asks meanwhile waits for the same. */
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
