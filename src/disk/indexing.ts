import { ChildProcess, fork } from 'node:child_process';
import { startWorker, workerFile } from '../contract/worker.ts';
import { loadTree } from './tree/load.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeOver } from './tree/tree.ts';

/** What is to be indexed and how. */
export interface IndexingOrder {
  readonly root: string;
  readonly options: ScanOptions;
  readonly allowed: readonly string[];
  readonly firstId: number;
  /** What is known of folders: read only what changed. Undefined: read everything. */
  readonly marks: Uint8Array | undefined;
  readonly fileMs: number;
  /** Where the generation is saved, and where the one before lies. */
  readonly file: string;
  readonly growthFolder: string;
}

/** The order as the one who carries it out gets it. */
export interface IndexingTask extends IndexingOrder {
  /** The generation before: as it is in memory, or to be loaded from its file. */
  readonly earlier: { readonly meta: TreeMeta; readonly buffer: SharedArrayBuffer } | 'saved' | undefined;
}

export type IndexingMessage =
  | {
      readonly type: 'progress';
      readonly entries: number;
      readonly dirsDone: number;
      readonly dirsLeft: number;
    }
  /** The tree is in its file; what else there is to write follows. */
  | { readonly type: 'saved' }
  | {
      readonly type: 'done';
      /** Only from a thread; a process leaves it in its file. */
      readonly made: { readonly meta: TreeMeta; readonly buffer: SharedArrayBuffer } | undefined;
      readonly result: IndexingResult;
    }
  | { readonly type: 'failed'; readonly message: string };

export interface IndexingResult {
  readonly changed: boolean;
  /** Folders read anew; undefined when all of them were. */
  readonly foldersRead: number | undefined;
  /** Files in which a change in place would not have been noticed. */
  readonly filesUnchecked: number;
}

export type Indexed = IndexingResult & { readonly tree: Tree };
export type OnIndexing = (counts: { entries: number; dirsDone: number; dirsLeft: number }) => void;

const SOURCE = new URL('./indexing.worker.ts', import.meta.url);
/** Room for the short-lived objects of a large scan, so that they are not collected over and over. */
const FLAGS = ['--max-semi-space-size=16'];

/**
 * Makes a generation. A rescan needs little and the tree that is here, so it runs in a thread. A scan of everything
 * runs in a process that ends with it: what it took to build is given back to the system, and the tree is loaded.
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

function inThread(
  order: IndexingOrder,
  earlier: Tree,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  const task: IndexingTask = { ...order, earlier: { meta: earlier.meta, buffer: earlier.buffer } };
  const worker = startWorker(SOURCE, {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const stop = () => worker.postMessage('cancel');
  return follow(worker, signal, stop, onProgress).then(({ made, result }) => {
    if (made === undefined) throw new Error('indexing brought nothing');
    return { tree: treeOver(made.buffer, made.meta), ...result };
  });
}

async function inProcess(
  order: IndexingOrder,
  earlier: Tree | undefined,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  const child = fork(workerFile(SOURCE), [], {
    execArgv: FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // How a process that lives long asks for memory is too slow for one that works and ends.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: undefined },
  });
  const task: IndexingTask = { ...order, earlier: earlier && 'saved' };
  child.send(task);
  let loading: Promise<Tree | undefined> | undefined;
  const onSaved = () => {
    // Written a moment ago by our own process: it need not be checked.
    loading = loadTree(order.file, { check: false }).catch(() => undefined);
  };
  const stop = () => child.kill('SIGKILL');
  const { result } = await follow(child, signal, stop, onProgress, onSaved);
  return { tree: (await loading) ?? (await loadTree(order.file)), ...result };
}

/** A thread or a process, as far as they are alike. What a process has sent may come after its exit, but before its close. */
interface Doer {
  on(event: 'message', listener: (message: IndexingMessage) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit' | 'close', listener: (code: number | null) => void): unknown;
}

function follow(
  doer: Doer,
  signal: AbortSignal,
  stop: () => void,
  onProgress: OnIndexing,
  onSaved: () => void = () => undefined,
): Promise<Extract<IndexingMessage, { type: 'done' }>> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      signal.removeEventListener('abort', stop);
      finish();
    };
    const failed = (error: unknown) => end(() => reject(signal.aborted ? signal.reason : error));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    doer.on('message', (message) => {
      if (message.type === 'progress') onProgress(message);
      else if (message.type === 'saved') onSaved();
      else if (message.type === 'failed') failed(new Error(message.message));
      else end(() => resolve(message));
    });
    doer.on('error', failed);
    doer.on(doer instanceof ChildProcess ? 'close' : 'exit', (code) =>
      failed(new Error(`indexing ended early (${code ?? 'killed'})`)),
    );
  });
}
