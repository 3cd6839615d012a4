import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** Which process is meant: a number alone may belong to another one by now. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, in the system's own count; absent where the system does not tell. */
  readonly started?: string | undefined;
  /** Where `pid` is its number: containers count on their own. */
  readonly namespace?: string | undefined;
}

export function thisProcess(): ProcessId {
  return processNow(process.pid);
}

/** The process that has this number now. */
export function processNow(pid: number): ProcessId {
  return { pid, started: factsOf(pid)?.started, namespace: namespaceOf('self') };
}

/** Whether the process still runs. One that has ended and whose parent has not noticed does not. */
export function isRunning({ pid, started }: ProcessId): boolean {
  if (!isAlive(pid)) return false;
  const facts = factsOf(pid);
  return facts === undefined || (!facts.ended && (started === undefined || facts.started === started));
}

/** Whether some process has this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The same process as it is numbered here; undefined when it cannot be seen from here. */
export function seenFromHere(process: ProcessId): ProcessId | undefined {
  const here = namespaceOf('self');
  if (process.namespace === undefined || here === undefined || process.namespace === here) return process;
  const pid = numbers().find(
    (candidate) =>
      namespaceOf(candidate) === process.namespace && innermostPid(candidate) === String(process.pid),
  );
  return pid === undefined ? undefined : { pid: Number(pid), started: process.started, namespace: here };
}

/** The process that holds a lock on a file, where the system tells. */
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
  // The name comes second and may contain anything; the state follows it, and the start 19 fields later.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19], ended: fields[0] === 'Z' || fields[0] === 'X' };
}

/** Its number in the innermost namespace, which is the last of its numbers. */
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

function numbers(): string[] {
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
