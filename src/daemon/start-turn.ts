import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './process-id.ts';

/** A turn left by a crash grows old. */
const TURN_IS_OLD_MS = 10_000;

const turnIn = (home: string) => join(home, 'owner.starting');

/** Takes the turn to start the owner, unless another process has it. */
export function takeTurn(home: string): boolean {
  const file = turnIn(home);
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    if (holds(home)) return true;
    if (isLeftOver(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Gives up the turn, if this process has it. */
export function passTurn(home: string): void {
  if (holds(home)) rmSync(turnIn(home), { force: true });
}

function holds(home: string): boolean {
  try {
    return readFileSync(turnIn(home), 'utf8') === String(process.pid);
  } catch {
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
