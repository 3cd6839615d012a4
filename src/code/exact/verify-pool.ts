import { TooExpensive } from '../../regex/simulate.ts';
import { RemoteEnded } from '../../threads/remote.ts';
import { Thread } from '../../threads/thread.ts';
import type { PrintReply, PrintTask } from '../grep-output/print-files.ts';
import type { VerifyReply, VerifyTask } from './verify-files.ts';
import type { VerifyMethods } from './verify-files.worker.ts';

/** Threads that look into files. */
export interface VerifyPool {
  /** Runs a task; urgent ones first. Rejects with TooExpensive when the pattern is too much for this process. */
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

interface Seat {
  readonly thread: Thread<VerifyMethods>;
  busy: boolean;
}

/** Threads that had nothing to do for this long end: each holds tens of megabytes. */
const IDLE_MS = 120_000;

/** A task gives back control after a twentieth of this; one that does not is stopped with its thread. */
const STUCK_MS = 3_000;

/** Threads that start with the first task for them and end when they are idle. */
export function startPool(size = 2, idleMs = IDLE_MS): VerifyPool & { readonly running: number } {
  let closed = false;
  const queue: Waiting[] = [];
  const seats: Seat[] = [];

  const work = async ({ thread }: Seat, { task, resolve, reject }: Waiting) => {
    const stuck = setTimeout(() => void thread.stop(), STUCK_MS);
    try {
      // The thread answers in kind.
      resolve((await thread.call('look', task)) as never);
    } catch (error) {
      if (closed) reject(new Error('the search was closed'));
      else if (error instanceof RemoteEnded || (error instanceof Error && error.name === 'TooExpensive'))
        reject(new TooExpensive());
      else reject(error);
    } finally {
      clearTimeout(stuck);
    }
  };
  const next = async (seat: Seat) => {
    seat.busy = true;
    for (let task = takeFrom(queue); task !== undefined; task = takeFrom(queue)) {
      if (task.signal.aborted) task.reject(task.signal.reason);
      else await work(seat, task);
    }
    seat.busy = false;
  };
  const freeSeat = (): Seat | undefined => {
    const free = seats.find((seat) => !seat.busy);
    if (free !== undefined || seats.length >= size) return free;
    const thread = new Thread<VerifyMethods>(new URL('./verify-files.worker.ts', import.meta.url), {
      idleMs,
    });
    const seat: Seat = { thread, busy: false };
    seats.push(seat);
    return seat;
  };

  return {
    size,
    run: (task: VerifyTask | PrintTask, urgent: boolean, signal: AbortSignal) =>
      new Promise<never>((resolve, reject) => {
        queue.push({ task, urgent, signal, resolve, reject });
        const free = freeSeat();
        if (free !== undefined) void next(free);
      }),
    get running() {
      return seats.filter(({ thread }) => thread.running).length;
    },
    async close() {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.reject(new Error('the search was closed'));
      await Promise.all(seats.map(({ thread }) => thread.stop()));
    },
  };
}

/** The next task: urgent ones first. */
function takeFrom(queue: Waiting[]): Waiting | undefined {
  const urgent = queue.findIndex((one) => one.urgent);
  return queue.splice(Math.max(urgent, 0), 1)[0];
}
