import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './process-id.ts';

/** How long a turn counts, in case the process that took it hangs. */
const MAX_TURN_MS = 10_000;

const turnIn = (home: string) => join(home, 'background.starting');

/** Takes the turn to start the background process, unless another process has it. */
export function takeTurn(home: string): boolean {
  const file = turnIn(home);
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    if (hasTurn(home)) return true;
    if (isLeftOver(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Leaves the turn of this process to the background process that it started, which it does not wait for. */
export function leaveTurn(home: string, pid: number): void {
  if (hasTurn(home)) writeFileSync(turnIn(home), String(pid), { mode: 0o600 });
}

/** Whether the background process is being started. */
export function isStarting(home: string): boolean {
  return existsSync(turnIn(home)) && !isLeftOver(turnIn(home));
}

/** Gives up the turn, if this process has it. */
export function passTurn(home: string): void {
  if (hasTurn(home)) rmSync(turnIn(home), { force: true });
}

function hasTurn(home: string): boolean {
  try {
    return readFileSync(turnIn(home), 'utf8') === String(process.pid);
  } catch {
    return false;
  }
}

/** Whether the process that took the turn has died, or has had it for too long. */
function isLeftOver(file: string): boolean {
  try {
    const { mtimeMs } = statSync(file);
    const pid = Number(readFileSync(file, 'utf8'));
    // The file is empty for the moment between its creation and the write.
    return Date.now() - mtimeMs > MAX_TURN_MS || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}
