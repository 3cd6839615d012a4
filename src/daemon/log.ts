import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
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
