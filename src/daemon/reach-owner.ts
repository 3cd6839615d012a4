import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookForOwner, type RunningOwner } from './find-owner.ts';
import { type Holder, holderOf } from './holder.ts';
import { lastFailure } from './log.ts';
import { readOwner } from './owner-file.ts';
import { whyUnreachable } from './reachable.ts';
import { passTurn, takeTurn } from './start-turn.ts';

const START_DEADLINE_MS = 20_000;
/** How long a process that has the data may stay out of reach: it may have begun or ended in this very moment. */
const MISSED_MS = 500;
/** How long it may take to answer. */
const SILENT_MS = 9_000;
const POLL_MS = 20;

/** There is no owner to talk to, and there can be none; the message is a sentence that says why. */
export class NoOwner extends Error {}

/** The running owner; it is started when there is none, or waited for when another process is starting it. */
export async function reachOwner(home: string): Promise<RunningOwner> {
  const end = performance.now() + START_DEADLINE_MS;
  let child: ChildProcess | undefined;
  let missedSince: number | undefined;
  try {
    do {
      const asked = performance.now();
      const { owner, reason, silent = false } = await lookForOwner(home);
      if (owner !== undefined) return owner;
      const holder = holderOf(home);
      if (holder === undefined) {
        child = await nextChild(home, child);
        missedSince = undefined;
      } else if (isThere(home, holder)) {
        missedSince ??= asked;
        const patience = silent ? SILENT_MS : MISSED_MS;
        if (performance.now() - missedSince > patience) throw new NoOwner(whyNot(holder, reason));
      } else {
        // It is starting, or ending.
        missedSince = undefined;
      }
      await sleep(POLL_MS);
    } while (performance.now() < end);
    throw new NoOwner('The background process did not start in time; see pinhole logs.');
  } catch (error) {
    // What we started and cannot reach is of no use to anybody.
    if (child?.exitCode === null && readOwner(home)?.pid === child.pid) child.kill('SIGTERM');
    throw error;
  } finally {
    if (child !== undefined) passTurn(home);
  }
}

/** Nobody has the data: one of many waiting clients starts the process that will; the others wait for it. */
async function nextChild(home: string, child: ChildProcess | undefined): Promise<ChildProcess | undefined> {
  if (child?.exitCode)
    throw new NoOwner(`The background process did not start: ${lastFailure(home) ?? 'see pinhole logs'}`);
  // One that ended without a failure left the data to another one, which has ended since.
  if ((child !== undefined && child.exitCode !== 0) || !takeTurn(home)) return child;
  const obstacle = await whyUnreachable();
  if (obstacle === undefined) return spawnOwner(home);
  passTurn(home);
  throw new NoOwner(`No background process can be reached from here (${obstacle}).`);
}

/** Whether the process that has the data has said where it is, or never will. */
function isThere(home: string, holder: Holder | 'unknown'): boolean {
  return holder === 'unknown' || holder.kind === 'command' || readOwner(home)?.pid === holder.pid;
}

function whyNot(holder: Holder | 'unknown', reason = 'it says nothing'): string {
  if (holder === 'unknown') return 'Another process has the data.';
  if (holder.kind === 'command') return `Another command has the data (pid ${holder.pid}).`;
  return `The background process (pid ${holder.pid}) cannot be reached from here (${reason}).`;
}

/**
 * It lives long and holds large columns: less room for what is soon thrown away and for memory kept by threads, and
 * columns that are not needed any more go back to the system at once.
 */
const OWNER_FLAGS = ['--max-semi-space-size=4'];
const OWNER_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

function spawnOwner(home: string): ChildProcess {
  const main = process.argv[1];
  if (main === undefined) throw new Error('cannot tell how Pinhole was started');
  const child = spawn(process.execPath, [...OWNER_FLAGS, main, 'owner'], {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    env: { ...OWNER_ENV, ...process.env, PINHOLE_HOME: home },
  });
  child.on('error', () => {});
  child.unref();
  return child;
}
