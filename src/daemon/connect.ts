import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VERSION } from '../contract/version.ts';
import { callOwner } from './http-client.ts';
import { type OwnerRecord, readOwner } from './owner-file.ts';

const START_DEADLINE_MS = 20_000;
const POLL_MS = 20;

interface Hello {
  readonly version: string;
  readonly idle: boolean;
}

/** The running owner, if there is one that answers. */
export async function findOwner(home: string): Promise<(OwnerRecord & Hello) | undefined> {
  const record = readOwner(home);
  if (record === undefined || record.socket === '') return undefined;
  try {
    const reply = await callOwner(record, 'GET', '/internal/hello', undefined, { timeoutMs: 5_000 });
    // Our own route, on a socket that only this user can have made.
    return reply.status === 200 ? { ...record, ...(JSON.parse(reply.body) as Hello) } : undefined;
  } catch {
    return undefined;
  }
}

/** The running owner, started when there is none; an idle one of another version is replaced. */
export async function findOrStartOwner(home: string): Promise<OwnerRecord> {
  const found = await findOwner(home);
  if (found !== undefined) {
    if (found.version === VERSION || !found.idle) return found;
    await stopOwner(home);
  }
  return startOwner(home);
}

/** The address of the page for a person at this machine; it signs in, once. */
export async function pageAddress(owner: OwnerRecord): Promise<string> {
  const reply = await callOwner(owner, 'POST', '/internal/page-link');
  // Our own route.
  const { path } = JSON.parse(reply.body) as { path: string };
  return `http://${owner.host.includes(':') ? `[${owner.host}]` : owner.host}:${owner.port}${path}`;
}

/** Asks the owner to end and waits until it has; false when none was running. */
export async function stopOwner(home: string): Promise<boolean> {
  const owner = await findOwner(home);
  if (owner === undefined) return false;
  await callOwner(owner, 'POST', '/internal/stop');
  await until(
    async () => (await findOwner(home))?.pid !== owner.pid && !isAlive(owner.pid),
    START_DEADLINE_MS,
  );
  return true;
}

async function startOwner(home: string): Promise<OwnerRecord> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const turn = join(home, 'owner.starting');
  let spawned = false;
  let owner: OwnerRecord | undefined;
  await until(async () => {
    // One of many starting clients starts the process; the others wait for it. A turn left by a crash grows old.
    if (!spawned && takeTurn(turn)) {
      spawned = true;
      spawnOwner(home);
    }
    owner = await findOwner(home);
    return owner !== undefined;
  }, START_DEADLINE_MS);
  if (spawned) rmSync(turn, { force: true });
  if (owner === undefined) throw new Error('the owner process did not start; pinhole logs tells why');
  return owner;
}

const TURN_IS_OLD_MS = 10_000;

function takeTurn(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    if (isLeftOver(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the turn is of a process that died, or that has had long enough. */
function isLeftOver(file: string): boolean {
  try {
    const { mtimeMs } = statSync(file);
    const pid = Number(readFileSync(file, 'utf8'));
    // Empty for the moment between making the file and writing to it.
    return Date.now() - mtimeMs > TURN_IS_OLD_MS || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

/**
 * It lives long and holds large columns: less room for what is soon thrown away and for memory kept by threads, and
 * columns that are not needed any more go back to the system at once.
 */
const OWNER_FLAGS = ['--max-semi-space-size=4'];
const OWNER_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

function spawnOwner(home: string): void {
  const main = process.argv[1];
  if (main === undefined) throw new Error('cannot tell how Pinhole was started');
  const child = spawn(process.execPath, [...OWNER_FLAGS, main, 'owner'], {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    env: { ...OWNER_ENV, ...process.env, PINHOLE_HOME: home },
  });
  child.unref();
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => Promise<boolean>, deadlineMs: number): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition()) && Date.now() < end) await sleep(POLL_MS);
}
