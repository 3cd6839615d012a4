import { setTimeout as sleep } from 'node:timers/promises';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { findOwner } from './find-owner.ts';
import { type Holder, holderOf, isHeld } from './holder.ts';
import { callOwner } from './http-client.ts';
import { isRunning, type ProcessId, processNow, seenFromHere } from './process-id.ts';

/** How long it may take when it was asked to end; its own deadline is shorter. */
const ASKED_MS = 10_000;
const ANSWER_MS = 2_000;
/** What follows when it did not end, and how long each may take. */
const SIGNALS = [
  ['SIGTERM', 7_000],
  ['SIGKILL', 5_000],
] as const;
const NOTE_MS = 1_000;
const POLL_MS = 20;

/**
 * Ends the background process, whatever it is doing: it is asked first, and killed when it does not end. Resolves
 * when it has ended; false when none was running.
 */
export async function stopOwner(home: string): Promise<boolean> {
  const owner = await findOwner(home, ANSWER_MS);
  // One that is just starting has not noted down yet who it is.
  await until(() => holderOf(home) !== 'unknown', NOTE_MS);
  const holder = holderOf(home);
  if (owner === undefined && holder === undefined) return false;
  const target = targetOf(home, holder ?? { ...processNow(owner?.pid ?? 0), kind: 'background' });
  const gone = () => !isRunning(target);

  const asked =
    owner !== undefined &&
    (await callOwner(owner, 'POST', '/internal/stop', undefined, { timeoutMs: ANSWER_MS }).then(
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
  throw new PinholeError('conflict', `Process ${target.pid} does not end, even when it is killed.`);
}

/** The process to end, as it is numbered here. */
function targetOf(home: string, holder: Holder | 'unknown'): ProcessId {
  if (holder === 'unknown') {
    throw new PinholeError(
      'conflict',
      `Some process has the data folder ${home}, and Pinhole cannot tell which one. End it, then try again.`,
    );
  }
  const target = seenFromHere(holder);
  if (target !== undefined) return target;
  throw new PinholeError(
    'conflict',
    `A process of another container has the data folder ${home} (pid ${holder.pid} there). Run pinhole stop in that container.`,
  );
}

/** Where the system does not tell when a process started, the lock proves that the number is still its own. */
function isStill(home: string, target: ProcessId, holder: Holder | 'unknown' | undefined): boolean {
  return target.started !== undefined || holder === undefined || isHeld(home);
}

function send(signal: NodeJS.Signals, { pid }: ProcessId): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended in this very moment.
    if (systemCode(error) === 'ESRCH') return;
    throw new PinholeError('conflict', `Process ${pid} belongs to another user; ask them to end it.`);
  }
}

async function until(condition: () => boolean, deadlineMs: number): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!condition() && performance.now() < end) await sleep(POLL_MS);
}
