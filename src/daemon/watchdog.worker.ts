import { appendFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogOrder } from './watchdog.ts';

// Our own thread was started with nothing else.
const { beats, tickMs, ticks, pid, log } = workerData as WatchdogOrder;
let last = Atomics.load(beats, 0);
let silent = 0;

// Counted in ticks of this thread and not by the clock: both threads sleep when the machine does.
setInterval(() => {
  const now = Atomics.load(beats, 0);
  silent = now === last ? silent + 1 : 0;
  last = now;
  if (silent < ticks) return;
  try {
    const seconds = Math.round((ticks * tickMs) / 1000);
    appendFileSync(
      log,
      `${new Date().toISOString()} the main thread did nothing for ${seconds} s: ended by the watchdog\n`,
    );
  } catch {
    // A full disk is no reason to let it hang.
  }
  process.kill(pid, 'SIGKILL');
}, tickMs);
