import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isLocked, type Lock, tryLock } from '../store/lock.ts';
import { readOwner } from './owner-file.ts';
import {
  isRunning,
  lockingPid,
  type ProcessId,
  processNow,
  seenFromHere,
  thisProcess,
} from './process-id.ts';

/** The process that has the data folder to itself. */
export interface Holder extends ProcessId {
  /** The background process, or a command that could not use one. */
  readonly kind: 'background' | 'command';
}

const schema = z.object({
  pid: z.number(),
  started: z.string().optional(),
  namespace: z.string().optional(),
  kind: z.enum(['background', 'command']),
});

const lockIn = (home: string) => join(home, 'owner.lock');
const holderIn = (home: string) => join(home, 'owner.pid');

/** Takes the data folder for this process and notes down who has it; undefined when another process has it. */
export function holdData(home: string, kind: Holder['kind']): Lock | undefined {
  const lock = tryLock(lockIn(home));
  if (lock === undefined) return undefined;
  try {
    const temporary = `${holderIn(home)}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify({ ...thisProcess(), kind }), { mode: 0o600 });
    renameSync(temporary, holderIn(home));
  } catch {
    // A full disk: then nobody can tell who it is, but it can still answer.
  }
  return lock;
}

/** Whether some process has the data folder. */
export function isHeld(home: string): boolean {
  return isLocked(lockIn(home));
}

/**
 * Who has the data folder; undefined when nobody has. The lock tells whether somebody has, the note beside it who.
 * A note stays behind when its process ends, and cannot be written on a full disk: then the system is asked.
 */
export function holderOf(home: string): Holder | 'unknown' | undefined {
  if (!isHeld(home)) return undefined;
  const noted = readNote(home);
  const seen = noted && seenFromHere(noted);
  if (noted !== undefined && (seen === undefined || isRunning(seen))) return noted;
  const pid = lockingPid(lockIn(home)) ?? readOwner(home)?.pid ?? 0;
  return pid > 0 && isRunning({ pid }) ? { ...processNow(pid), kind: 'background' } : 'unknown';
}

function readNote(home: string): Holder | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(holderIn(home), 'utf8')));
  } catch {
    return undefined;
  }
}
