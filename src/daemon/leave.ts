const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ends this process, whatever its threads are doing. An ordinary exit waits for them, and one that hangs in the file
 * system never ends: it is for when all was closed and no request to the file system is left.
 */
export function leaveProcess(clean: boolean): void {
  const busy = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
  if (clean && !busy) process.exit(0);
  process.kill(process.pid, 'SIGKILL');
}

/** The first signal ends this process in good order, the second at once. */
export function endOnSignals(stop: () => Promise<void>): void {
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
