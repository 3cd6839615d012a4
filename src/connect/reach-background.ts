import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBackgroundRecord } from './background-record.ts';
import { type DataHolder, holderOf } from './data-holder.ts';
import { lookForBackground, type RunningBackground } from './find-background.ts';
import { whyNoLoopback } from './loopback.ts';
import { MEMORY_ENV, MEMORY_FLAGS } from './memory-settings.ts';
import { leaveTurn, passTurn, takeTurn } from './start-turn.ts';

const START_DEADLINE_MS = 20_000;
/** How long the process that holds the data may be unreachable: it may be just starting or just ending. */
const UNREACHABLE_MS = 500;
/** How long it may take to answer. */
const SILENT_MS = 9_000;
const POLL_MS = 20;

/** No background process can be called from here; the message is a sentence that says why. */
export class NoBackground extends Error {}

/** The running background process. If there is none, starts it, or waits while another process starts it. */
export async function reachBackground(home: string): Promise<RunningBackground> {
  const end = performance.now() + START_DEADLINE_MS;
  let child: ChildProcess | undefined;
  let missedSince: number | undefined;
  try {
    do {
      const asked = performance.now();
      const { background, reason, silent = false } = await lookForBackground(home);
      if (background !== undefined) return background;
      const holder = holderOf(home);
      if (holder === undefined) {
        child = await nextChild(home, child);
        missedSince = undefined;
      } else if (isSettled(home, holder)) {
        missedSince ??= asked;
        const patience = silent ? SILENT_MS : UNREACHABLE_MS;
        if (performance.now() - missedSince > patience) throw new NoBackground(whyNot(holder, reason));
      } else {
        // It is starting, or ending.
        missedSince = undefined;
      }
      await sleep(POLL_MS);
    } while (performance.now() < end);
    throw new NoBackground('The background process did not start in time; see `pinhole logs`.');
  } catch (error) {
    // A process that we started and cannot reach is useless.
    if (child?.exitCode === null && readBackgroundRecord(home)?.pid === child.pid) child.kill('SIGTERM');
    throw error;
  } finally {
    if (child !== undefined) passTurn(home);
  }
}

/** Starts the background process unless one is there or cannot be reached from here; nobody waits for it. */
export async function beginBackground(home: string): Promise<void> {
  if (holderOf(home) !== undefined || !takeTurn(home)) return;
  const child = (await whyNoLoopback()) === undefined ? await spawnBackground(home) : undefined;
  if (child?.pid === undefined) passTurn(home);
  else leaveTurn(home, child.pid);
}

/** When no process holds the data, one of the waiting clients starts the background process; the others wait for it. */
async function nextChild(home: string, child: ChildProcess | undefined): Promise<ChildProcess | undefined> {
  if (child?.exitCode) {
    // It redacts what it writes, which commands need not load otherwise.
    const { lastStartFailure } = await import('./background-log.ts');
    throw new NoBackground(
      `The background process did not start: ${lastStartFailure(home) ?? 'see `pinhole logs`'}`,
    );
  }
  // A child that exited with 0 found another process holding the data, and that one has ended since.
  if ((child !== undefined && child.exitCode !== 0) || !takeTurn(home)) return child;
  const obstacle = await whyNoLoopback();
  if (obstacle === undefined) return spawnBackground(home);
  passTurn(home);
  throw new NoBackground(`No background process can be reached from here (${obstacle}).`);
}

/** Whether the process that holds the data has written its record, or never will. */
function isSettled(home: string, holder: DataHolder | 'unknown'): boolean {
  return holder === 'unknown' || holder.kind === 'command' || readBackgroundRecord(home)?.pid === holder.pid;
}

function whyNot(holder: DataHolder | 'unknown', reason = 'it left no address'): string {
  if (holder === 'unknown') return 'Another process holds the data folder.';
  if (holder.kind === 'command') return `Another command holds the data folder (pid ${holder.pid}).`;
  return `The background process (pid ${holder.pid}) cannot be reached from here (${reason}).`;
}

async function spawnBackground(home: string): Promise<ChildProcess> {
  // Most commands find a process that runs, and start faster without this.
  const { spawn } = await import('node:child_process');
  const main = process.argv[1];
  if (main === undefined) throw new Error('process.argv does not name the program to start.');
  const child = spawn(process.execPath, [...MEMORY_FLAGS, main, 'background'], {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    env: { ...MEMORY_ENV, ...process.env, PINHOLE_HOME: home },
  });
  child.on('error', () => {});
  child.unref();
  return child;
}
