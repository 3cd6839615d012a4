const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const LEFT_OPEN_MS = 2_000;

/** Ends this process at once. An ordinary exit waits for threads, and one that hangs in the file system never ends. */
export function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Lets this process end, and sees to it that nothing that was left open keeps it from that. */
export function exitSoon(code: number): void {
  process.exitCode = code;
  setTimeout(() => {
    const hanging = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
    if (hanging) killThisProcess();
    else process.exit(code);
  }, LEFT_OPEN_MS).unref();
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
