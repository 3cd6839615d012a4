import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../contract/redact.ts';

const MAX_LOG_BYTES = 5_000_000;

export const logFile = (home: string) => join(home, 'background.log');

/** Appends lines to the log of the background process; the previous full file is kept beside it. */
export function createLog(home: string): (line: string) => void {
  const file = logFile(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES)
        renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${redact(line)}\n`, { mode: 0o600 });
    } catch {
      // Pinhole can answer without a log, so a full disk is no reason to fail.
    }
  };
}

const START_FAILURE = 'could not start: ';

/** The line to log when the background process cannot start. */
export const startFailureLine = (reason: string) => `${START_FAILURE}${reason}`;

/** Why the background process could not start the last time. */
export function lastStartFailure(home: string): string | undefined {
  try {
    const lines = readFileSync(logFile(home), 'utf8').split('\n');
    const line = lines.findLast((candidate) => candidate.includes(START_FAILURE));
    return line?.slice(line.indexOf(START_FAILURE) + START_FAILURE.length);
  } catch {
    return undefined;
  }
}
