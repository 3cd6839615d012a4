import { spawn } from 'node:child_process';
import { killThisProcess, SIGNALS } from '../connect/end-process.ts';
import { MEMORY_ENV, MEMORY_FLAGS } from '../connect/memory-settings.ts';

/**
 * Runs this very command once more, with the memory settings that a process can only be given when it starts, and ends
 * as it ends. Undefined where it has them, or where no process can be started: then the command runs here.
 */
export async function runInChild(): Promise<number | undefined> {
  const isSet = Object.keys(MEMORY_ENV).every((name) => process.env[name] !== undefined);
  if (process.platform !== 'linux' || isSet) return undefined;
  const child = spawn(process.execPath, [...MEMORY_FLAGS, ...process.execArgv, ...process.argv.slice(1)], {
    env: { ...MEMORY_ENV, ...process.env },
    // In a group of its own, so that Ctrl-C reaches it once, through here. The channel tells it when this process is gone.
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code, signal) => {
      for (const one of SIGNALS) process.removeAllListeners(one);
      if (signal !== null) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}

/** Ends this process when the one that started it as its child is gone: that one may have been killed. */
export function endWithParent(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', killThisProcess);
  process.channel.unref();
}
