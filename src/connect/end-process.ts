/** What asks a process to end. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const EXIT_AFTER_MS = 2_000;

/** Ends this process at once. An ordinary exit waits for threads, and a thread stuck in the file system never ends. */
export function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Sets the exit code and makes sure that nothing left open keeps this process alive. */
export function exitSoon(code: number): void {
  process.exitCode = code;
  setTimeout(() => {
    const hanging = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
    if (hanging) killThisProcess();
    else process.exit(code);
  }, EXIT_AFTER_MS).unref();
}

/** The first signal stops this process in an orderly way, the second one at once. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let asked = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (asked) {
        // Without a listener the system itself ends the process.
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      }
      asked = true;
      void stop();
    });
  }
}
