import { Worker } from 'node:worker_threads';
import { workerFile } from '../threads/worker-file.ts';

const TICK_MS = 1_000;
/** Longer than anything the main thread does at once, even on a machine that is very busy. */
const DEFAULT_SECONDS = 90;

export interface WatchdogOrder {
  /** Grows while the main thread runs. */
  readonly beats: Int32Array;
  readonly tickMs: number;
  /** Ends the process after as many ticks without a beat. */
  readonly ticks: number;
  readonly pid: number;
  /** Where it says why. */
  readonly log: string;
}

/**
 * Ends this process if its main thread no longer runs: nobody could call it, and it would keep the data from others.
 * Everything written survives that, and the next call, also one that was waiting, starts another process.
 */
export function startWatchdog(log: string, seconds = watchdogSeconds(process.env)): { stop(): void } {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const order: WatchdogOrder = { beats, tickMs: TICK_MS, ticks: seconds, pid: process.pid, log };
  const worker = new Worker(workerFile(new URL('./watchdog.worker.ts', import.meta.url)), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  // Without it everything else still works.
  worker.on('error', () => {});
  worker.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), TICK_MS / 2);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}

/** `PINHOLE_WATCHDOG_SECONDS`, for machines where even the default is too short. */
function watchdogSeconds({ PINHOLE_WATCHDOG_SECONDS: given }: NodeJS.ProcessEnv): number {
  const seconds = Number(given ?? DEFAULT_SECONDS);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : DEFAULT_SECONDS;
}
