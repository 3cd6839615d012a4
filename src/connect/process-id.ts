import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { systemCode } from '../contract/errors.ts';

/** Identifies a process: its pid alone may have been given to another process since. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, as the system counts; absent where the system does not say. */
  readonly started?: string | undefined;
  /** The namespace in which `pid` is valid: each container has its own. */
  readonly namespace?: string | undefined;
}

export function thisProcess(): ProcessId {
  return processNow(process.pid);
}

/** The process that has this pid now. */
export function processNow(pid: number): ProcessId {
  return { pid, started: factsOf(pid)?.started, namespace: namespaceOf('self') };
}

/** Whether the process still runs; a zombie does not. */
export function isRunning({ pid, started }: ProcessId): boolean {
  if (!isAlive(pid)) return false;
  const facts = factsOf(pid);
  return facts === undefined || (!facts.ended && (started === undefined || facts.started === started));
}

/** Whether any process has this pid. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

/** The same process with the pid it has here; undefined when it is not visible from here. */
export function seenFromHere(process: ProcessId): ProcessId | undefined {
  const here = namespaceOf('self');
  if (process.namespace === undefined || here === undefined || process.namespace === here) return process;
  const pid = visiblePids().find(
    (candidate) =>
      namespaceOf(candidate) === process.namespace && innermostPid(candidate) === String(process.pid),
  );
  return pid === undefined ? undefined : { pid: Number(pid), started: process.started, namespace: here };
}

/** The process that holds a lock on a file, where the system says so. */
export function lockingPid(file: string): number | undefined {
  const { dev, ino } = statSync(file);
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  const device = `${hex((dev >> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}`;
  const line = new RegExp(`WRITE\\s+(\\d+) ${device}:${ino} `).exec(read('/proc/locks') ?? '');
  return line === null ? undefined : Number(line[1]);
}

function factsOf(pid: number): { readonly started: string | undefined; readonly ended: boolean } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the name, which can contain anything; the state follows it, and the start time 19 fields later.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19], ended: fields[0] === 'Z' || fields[0] === 'X' };
}

/** Its pid in the innermost namespace, which is the last one listed. */
function innermostPid(pid: string): string | undefined {
  return /^NSpid:\s*(.*)$/m
    .exec(read(`/proc/${pid}/status`) ?? '')?.[1]
    ?.split(/\s+/)
    .at(-1);
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function visiblePids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
