import { Child } from '../../threads/child.ts';
import { Thread } from '../../threads/thread.ts';
import type { ScanCounts } from '../scan/scanner-pool.ts';
import { loadTree } from '../tree/load-tree.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeOver } from '../tree/tree-columns.ts';
import type { IndexingMethods } from './indexing.worker.ts';

/** What to index and how. */
export interface IndexingOrder {
  readonly root: string;
  readonly options: ScanOptions;
  readonly allowed: readonly string[];
  readonly firstId: number;
  /** What is known about folders, to read only what changed. Undefined: read everything. */
  readonly marks: Uint8Array | undefined;
  readonly fileMs: number;
  /** Where the generation is saved, and where the previous one is. */
  readonly file: string;
  readonly growthFolder: string;
}

/** The order for the worker. */
export interface IndexingTask extends IndexingOrder {
  /** The previous generation: in memory, or to be loaded from its file. */
  readonly earlier: { readonly meta: TreeMeta; readonly buffer: SharedArrayBuffer } | 'saved' | undefined;
}

/** What the worker reports before its answer. `saved`: the tree is in its file, but other files are still written. */
export type IndexingEvent = ({ readonly type: 'progress' } & ScanCounts) | { readonly type: 'saved' };

export interface IndexingAnswer {
  /** The tree, from a thread; a process leaves it in its file. */
  readonly made: { readonly meta: TreeMeta; readonly buffer: SharedArrayBuffer } | undefined;
  readonly result: IndexingResult;
}

export interface IndexingResult {
  readonly changed: boolean;
  /** How many folders were read again; undefined if all of them were. */
  readonly foldersRead: number | undefined;
  /** Files in which a change would not have been noticed. */
  readonly filesUnchecked: number;
}

export type Indexed = IndexingResult & { readonly tree: Tree };
export type OnIndexing = (counts: ScanCounts) => void;

const WORKER = new URL('./indexing.worker.ts', import.meta.url);
/** Space for the short-lived objects of a large scan, so that they are not collected over and over. */
const NODE_FLAGS = ['--max-semi-space-size=16'];

/**
 * Makes a generation. A rescan needs little memory besides the tree in this process, so it runs in a thread. A full scan
 * runs in a process of its own, so that the memory for building goes back to the system, and the tree is then loaded.
 */
export function runIndexing(
  order: IndexingOrder,
  earlier: Tree | undefined,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  const quick = order.marks !== undefined && earlier !== undefined;
  return quick ? inThread(order, earlier, signal, onProgress) : inProcess(order, earlier, signal, onProgress);
}

async function inThread(
  order: IndexingOrder,
  earlier: Tree,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  const thread = new Thread<IndexingMethods>(WORKER, { limits: { maxYoungGenerationSizeMb: 8 } });
  const task: IndexingTask = { ...order, earlier: { meta: earlier.meta, buffer: earlier.buffer } };
  const onEvent = (event: IndexingEvent) => event.type === 'progress' && onProgress(event);
  const { made, result } = await thread.once('index', task, { signal, onEvent });
  if (made === undefined) throw new Error('Indexing returned no tree.');
  return { tree: treeOver(made.buffer, made.meta), ...result };
}

async function inProcess(
  order: IndexingOrder,
  earlier: Tree | undefined,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  const child = new Child<IndexingMethods>(WORKER, {
    flags: NODE_FLAGS,
    endOnCancel: true,
    // The setting of the background process for memory is too slow for a process that works and ends.
    env: { MALLOC_MMAP_THRESHOLD_: undefined },
  });
  const task: IndexingTask = { ...order, earlier: earlier && 'saved' };
  let loading: Promise<Tree | undefined> | undefined;
  const onEvent = (event: IndexingEvent) => {
    if (event.type === 'progress') onProgress(event);
    // Our own process has just written it, so it needs no check.
    else loading = loadTree(order.file, { check: false }).catch(() => undefined);
  };
  const { result } = await child.once('index', task, { signal, onEvent });
  return { tree: (await loading) ?? (await loadTree(order.file)), ...result };
}
