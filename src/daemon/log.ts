import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../contract/redact.ts';

const LARGEST = 5_000_000;

export const logFile = (home: string) => join(home, 'owner.log');

/** Appends lines to the owner's log; the last full file is kept beside it. */
export function createLog(home: string): (line: string) => void {
  const file = logFile(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${redact(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not stop the answers.
    }
  };
}

const FAILURE = 'could not start: ';

/** What the log says when the owner cannot start. */
export const failureLine = (reason: string) => `${FAILURE}${reason}`;

/** Why the owner could not start the last time. */
export function lastFailure(home: string): string | undefined {
  try {
    const lines = readFileSync(logFile(home), 'utf8').split('\n');
    const line = lines.findLast((candidate) => candidate.includes(FAILURE));
    return line?.slice(line.indexOf(FAILURE) + FAILURE.length);
  } catch {
    return undefined;
  }
}
