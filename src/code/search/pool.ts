import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../contract/worker.ts';
import { TooExpensive } from '../../regex/simulate.ts';
import type { PrintReply, PrintTask } from '../print/print-files.ts';
import type { VerifyReply, VerifyTask } from './verify.ts';

export interface PoolTask {
  readonly id: number;
  readonly task: VerifyTask | PrintTask;
}

export type PoolReply =
  | { readonly id: number; readonly reply: VerifyReply | PrintReply }
  | { readonly id: number; readonly error: string };

/** Threads that look into files. */
export interface VerifyPool {
  /** Runs a task; urgent ones first. Rejects with TooExpensive when the pattern is too much for this process. */
  run(task: VerifyTask, urgent: boolean, signal: AbortSignal): Promise<VerifyReply>;
  run(task: PrintTask, urgent: boolean, signal: AbortSignal): Promise<PrintReply>;
  readonly size: number;
  close(): Promise<void>;
}

interface Waiting extends PoolTask {
  readonly urgent: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  worker: Worker;
  busy: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Threads that had nothing to do for this long end: each holds tens of megabytes. */
const IDLE_MS = 120_000;

/** A task gives back control after a twentieth of this; one that does not is stopped with its thread. */
const STUCK_MS = 3_000;

/** Threads that start with the first task for them and end when they are idle. */
export function startPool(size = 2, idleMs = IDLE_MS): VerifyPool & { readonly running: number } {
  let closed = false;
  let number = 0;
  const queue: Waiting[] = [];
  let seats: Seat[] = [];
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    const worker = startWorker(new URL('./verify.worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', (reply: PoolReply) => settle(worker, reply));
    worker.on('error', () => replace(worker));
    return worker;
  };
  const seatOf = (worker: Worker) => seats.find((seat) => seat.worker === worker);
  const settle = (worker: Worker, reply: PoolReply) => {
    const seat = seatOf(worker);
    const task = seat?.busy;
    if (seat === undefined || task?.id !== reply.id) return;
    clearTimeout(seat.timer);
    seat.busy = undefined;
    worker.unref();
    // The thread answers in kind.
    if ('reply' in reply) task.resolve(reply.reply as never);
    else task.reject(reply.error === 'too-expensive' ? new TooExpensive() : new Error(reply.error));
    next(seat);
    rest();
  };
  const replace = (worker: Worker) => {
    const seat = seatOf(worker);
    if (seat === undefined || closed) return;
    clearTimeout(seat.timer);
    seat.busy?.reject(new TooExpensive());
    seat.busy = undefined;
    void worker.terminate();
    seat.worker = start();
    next(seat);
  };
  const next = (seat: Seat) => {
    while (seat.busy === undefined) {
      const urgent = queue.findIndex((one) => one.urgent);
      const [task] = queue.splice(Math.max(urgent, 0), 1);
      if (task === undefined) return;
      if (task.signal.aborted) task.reject(task.signal.reason);
      else {
        seat.busy = task;
        // Only a running task keeps the process alive.
        seat.worker.ref();
        seat.timer = setTimeout(() => replace(seat.worker), STUCK_MS);
        seat.worker.postMessage({ id: task.id, task: task.task } satisfies PoolTask);
      }
    }
  };
  const freeSeat = (): Seat | undefined => {
    const free = seats.find((seat) => seat.busy === undefined);
    if (free !== undefined || seats.length >= size) return free;
    const seat: Seat = { worker: start(), busy: undefined, timer: undefined };
    seats.push(seat);
    return seat;
  };
  const rest = () => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (seats.some((seat) => seat.busy !== undefined)) return;
      for (const seat of seats) void seat.worker.terminate();
      seats = [];
    }, idleMs).unref();
  };

  return {
    size,
    run: (task: VerifyTask | PrintTask, urgent: boolean, signal: AbortSignal) =>
      new Promise<never>((resolve, reject) => {
        queue.push({ id: ++number, task, urgent, signal, resolve, reject });
        const free = freeSeat();
        if (free !== undefined) next(free);
      }),
    get running() {
      return seats.length;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const waiting of [...queue.splice(0), ...seats.flatMap((seat) => seat.busy ?? [])]) {
        waiting.reject(new Error('the search was closed'));
      }
      for (const seat of seats) clearTimeout(seat.timer);
      await Promise.all(seats.map((seat) => seat.worker.terminate()));
    },
  };
}
