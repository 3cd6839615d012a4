import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../contract/guards.ts';
import { isLocked, type Lock, tryLock } from '../store/lock.ts';
import { readBackgroundRecord } from './background-record.ts';
import {
  isRunning,
  lockingPid,
  type ProcessId,
  processNow,
  seenFromHere,
  thisProcess,
} from './process-id.ts';

/** The process that holds the data folder: only one can at a time. */
export interface DataHolder extends ProcessId {
  /** The background process, or a command that could not reach one. */
  readonly kind: 'background' | 'command';
}

const lockIn = (home: string) => join(home, 'background.lock');
const fileIn = (home: string) => join(home, 'background.pid');

/** Takes the data folder for this process and records that; undefined when another process holds it. */
export function holdData(home: string, kind: DataHolder['kind']): Lock | undefined {
  const lock = tryLock(lockIn(home));
  if (lock === undefined) return undefined;
  try {
    const temporary = `${fileIn(home)}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify({ ...thisProcess(), kind }), { mode: 0o600 });
    renameSync(temporary, fileIn(home));
  } catch {
    // A full disk. Others cannot tell who holds the folder, but this process can still answer.
  }
  return lock;
}

/** Whether any process holds the data folder. */
export function isHeld(home: string): boolean {
  return isLocked(lockIn(home));
}

/**
 * The process that holds the data folder, or undefined. The lock says whether there is one, the file beside it which
 * one. That file outlives its process and cannot be written on a full disk; in these cases the system is asked.
 */
export function holderOf(home: string): DataHolder | 'unknown' | undefined {
  if (!isHeld(home)) return undefined;
  const recorded = readHolder(home);
  const seen = recorded && seenFromHere(recorded);
  if (recorded !== undefined && (seen === undefined || isRunning(seen))) return recorded;
  const pid = lockingPid(lockIn(home)) ?? readBackgroundRecord(home)?.pid ?? 0;
  return pid > 0 && isRunning({ pid }) ? { ...processNow(pid), kind: 'background' } : 'unknown';
}

function readHolder(home: string): DataHolder | undefined {
  try {
    return holderIn(JSON.parse(readFileSync(fileIn(home), 'utf8')));
  } catch {
    return undefined;
  }
}

function holderIn(value: unknown): DataHolder | undefined {
  if (!isObject(value)) return undefined;
  const { pid, started, namespace, kind } = value;
  const isRight =
    typeof pid === 'number' &&
    (started === undefined || typeof started === 'string') &&
    (namespace === undefined || typeof namespace === 'string') &&
    (kind === 'background' || kind === 'command');
  return isRight ? { pid, started, namespace, kind } : undefined;
}
