import { TooExpensive } from '../../regex/simulate.ts';
import { RemoteEnded } from '../../threads/remote.ts';
import { threadCount } from '../../threads/scarce-memory.ts';
import { Thread } from '../../threads/thread.ts';
import type { PrintReply, PrintTask } from '../grep-output/print-files.ts';
import type { VerifyReply, VerifyTask } from './verify-files.ts';
import type { VerifyMethods } from './verify-files.worker.ts';

/** Threads that search in files. */
export interface VerifyPool {
  /** Runs a task, urgent ones first. Rejects with TooExpensive if the pattern takes too many steps. */
  run(task: VerifyTask, urgent: boolean, signal: AbortSignal): Promise<VerifyReply>;
  run(task: PrintTask, urgent: boolean, signal: AbortSignal): Promise<PrintReply>;
  readonly size: number;
  close(): Promise<void>;
}

interface Waiting {
  readonly task: VerifyTask | PrintTask;
  readonly urgent: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: unknown) => void;
}

interface PoolThread {
  readonly thread: Thread<VerifyMethods>;
  busy: boolean;
}

/** A thread ends after being idle for this long, because each holds tens of megabytes. */
const IDLE_MS = 120_000;

/** Room for short-lived objects: with the usual 48 MB, both threads took 25 MB more and were no faster. */
const YOUNG_MB = 8;

/** A task should return after a twentieth of this time; if it does not, its thread is stopped. */
const STUCK_MS = 3_000;

/** Starts a pool. Threads start with their first task and end when they are idle. */
export function startPool(
  size = threadCount(2),
  idleMs = IDLE_MS,
): VerifyPool & { readonly running: number; rest(): void } {
  let closed = false;
  const queue: Waiting[] = [];
  const threads: PoolThread[] = [];

  const work = async ({ thread }: PoolThread, { task, resolve, reject }: Waiting) => {
    const stuck = setTimeout(() => void thread.stop(), STUCK_MS);
    try {
      // The reply has the type that belongs to the task.
      resolve((await thread.call('look', task)) as never);
    } catch (error) {
      if (closed) reject(new Error('Pinhole is closing'));
      else if (error instanceof RemoteEnded || (error instanceof Error && error.name === 'TooExpensive'))
        reject(new TooExpensive());
      else reject(error);
    } finally {
      clearTimeout(stuck);
    }
  };
  const drain = async (poolThread: PoolThread) => {
    poolThread.busy = true;
    for (let task = takeFrom(queue); task !== undefined; task = takeFrom(queue)) {
      if (task.signal.aborted) task.reject(task.signal.reason);
      else await work(poolThread, task);
    }
    poolThread.busy = false;
  };
  const freeThread = (): PoolThread | undefined => {
    const free = threads.find((one) => !one.busy);
    if (free !== undefined || threads.length >= size) return free;
    const thread = new Thread<VerifyMethods>(new URL('./verify-files.worker.ts', import.meta.url), {
      idleMs,
      limits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const added: PoolThread = { thread, busy: false };
    threads.push(added);
    return added;
  };

  return {
    size,
    run: (task: VerifyTask | PrintTask, urgent: boolean, signal: AbortSignal) =>
      new Promise<never>((resolve, reject) => {
        queue.push({ task, urgent, signal, resolve, reject });
        const free = freeThread();
        if (free !== undefined) void drain(free);
      }),
    rest() {
      for (const { thread, busy } of threads) if (!busy) void thread.stop();
    },
    get running() {
      return threads.filter(({ thread }) => thread.running).length;
    },
    async close() {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.reject(new Error('Pinhole is closing'));
      await Promise.all(threads.map(({ thread }) => thread.stop()));
    },
  };
}

/** The next task: urgent ones first. */
function takeFrom(queue: Waiting[]): Waiting | undefined {
  const urgent = queue.findIndex((one) => one.urgent);
  return queue.splice(Math.max(urgent, 0), 1)[0];
}
