import { setTimeout as sleep } from 'node:timers/promises';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { callBackground } from './call-background.ts';
import { type DataHolder, holderOf, isHeld } from './data-holder.ts';
import { findBackground } from './find-background.ts';
import { isRunning, type ProcessId, processNow, seenFromHere } from './process-id.ts';
import { isStarting } from './start-turn.ts';

/** How long it may take to end after it was asked to; its own deadline is shorter. */
const ASKED_MS = 10_000;
const ANSWER_MS = 2_000;
/** What follows if it does not end, and how long each signal gets. */
const SIGNALS = [
  ['SIGTERM', 7_000],
  ['SIGKILL', 5_000],
] as const;
const RECORD_MS = 1_000;
const START_MS = 10_000;
const POLL_MS = 20;

/**
 * Ends the background process, whatever it is doing: asks it first, and kills it if it does not end. Resolves when it
 * has ended, with false if none was running.
 */
export async function stopBackground(home: string): Promise<boolean> {
  // One that is being started would continue after this.
  await until(() => !isStarting(home) || isHeld(home), START_MS);
  const background = await findBackground(home, ANSWER_MS);
  // A process that is just starting has not recorded yet that it holds the data.
  await until(() => holderOf(home) !== 'unknown', RECORD_MS);
  const holder = holderOf(home);
  if (background === undefined && holder === undefined) return false;
  const target = targetOf(home, holder ?? { ...processNow(background?.pid ?? 0), kind: 'background' });
  const gone = () => !isRunning(target);

  const asked =
    background !== undefined &&
    (await callBackground(background, 'POST', '/internal/stop', undefined, { timeoutMs: ANSWER_MS }).then(
      ({ status }) => status === 200,
      () => false,
    ));
  if (asked) await until(gone, ASKED_MS);
  for (const [signal, patience] of SIGNALS) {
    if (gone() || !isStill(home, target, holder)) break;
    send(signal, target);
    await until(gone, patience);
  }
  if (gone()) return true;
  throw new PinholeError('conflict', `Process ${target.pid} did not end, even after it was killed.`);
}

/** The process to end, with the pid it has here. */
function targetOf(home: string, holder: DataHolder | 'unknown'): ProcessId {
  if (holder === 'unknown') {
    throw new PinholeError(
      'conflict',
      `A process holds the data folder ${home}, but Pinhole cannot tell which one. End it, then try again.`,
    );
  }
  const target = seenFromHere(holder);
  if (target !== undefined) return target;
  throw new PinholeError(
    'conflict',
    `A process in another container holds the data folder ${home} (pid ${holder.pid} there). Run pinhole stop in that container.`,
  );
}

/** Where the system does not say when a process started, the lock proves that the pid still belongs to the holder. */
function isStill(home: string, target: ProcessId, holder: DataHolder | 'unknown' | undefined): boolean {
  return target.started !== undefined || holder === undefined || isHeld(home);
}

function send(signal: NodeJS.Signals, { pid }: ProcessId): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended.
    if (systemCode(error) === 'ESRCH') return;
    throw new PinholeError('conflict', `Process ${pid} belongs to another user; ask them to end it.`);
  }
}

async function until(condition: () => boolean, deadlineMs: number): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!condition() && performance.now() < end) await sleep(POLL_MS);
}
