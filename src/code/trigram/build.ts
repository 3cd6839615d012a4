import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../contract/worker.ts';
import type { SourceFile } from '../files/source-tree.ts';

/** One segment to make. */
export interface BuildTask {
  readonly number: number;
  readonly root: string;
  readonly files: readonly SourceFile[];
  /** Where the segment goes. */
  readonly output: string;
}

export type BuildReply =
  | { readonly task: number; readonly bytes: number }
  | { readonly task: number; readonly error: string };

/** Text in one segment. Bounds the memory of a build and the time until the first part can be used. */
export const SEGMENT_TEXT = 48 * 1024 * 1024;
const SEGMENT_FILES = 40_000;
const WORKERS = 2;
/** With more files than this the list of them takes the memory of one builder. */
const MANY_FILES = 120_000;
/** What a builder keeps lies outside the heap; without a limit its garbage would take a hundred megabytes. */
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** Cuts files, in the order given, into lists of one segment each. */
export function segmentTasks<File extends SourceFile>(files: readonly File[]): File[][] {
  const tasks: File[][] = [];
  let text = 0;
  for (const file of files) {
    const open = tasks.at(-1);
    if (open === undefined || text + file.size > SEGMENT_TEXT || open.length >= SEGMENT_FILES) {
      tasks.push([file]);
      text = file.size;
    } else {
      open.push(file);
      text += file.size;
    }
  }
  return tasks;
}

/** How many segments of a tree are made at a time, so that the memory of a build stays the same. */
export function buildersFor(files: number): number {
  return files > MANY_FILES ? 1 : WORKERS;
}

/**
 * Makes segments in worker threads, a few at a time, and calls `done` as each is on the disk. Stops early,
 * without an error, when the signal says so.
 */
export async function buildSegments(
  tasks: readonly BuildTask[],
  builders: number,
  done: (task: BuildTask, bytes: number) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...tasks];
  const runOne = async () => {
    const worker = startWorker(new URL('./build.worker.ts', import.meta.url), { resourceLimits: HEAP });
    try {
      for (let task = queue.shift(); task !== undefined && !signal.aborted; task = queue.shift()) {
        const reply = await ask(worker, task, signal);
        if (reply === undefined) return;
        if ('error' in reply) throw new Error(`segment ${task.output}: ${reply.error}`);
        await done(task, reply.bytes);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(builders, tasks.length) }, runOne));
}

function ask(worker: Worker, task: BuildTask, signal: AbortSignal): Promise<BuildReply | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onReply).off('error', onError).off('exit', onExit);
      act();
    };
    const onAbort = () => settle(() => resolve(undefined));
    const onReply = (reply: BuildReply) => settle(() => resolve(reply));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`the index builder ended (${code})`)));
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onReply).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}
