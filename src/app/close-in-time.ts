/**
 * Closes parts one after the other. One that fails does not keep the others from being closed. With a limit for all of
 * them together, neither does one that hangs: each may take half of the time that is left. Tells whether all went well.
 */
export async function closeInTime(
  parts: Readonly<Record<string, () => unknown>>,
  log: (line: string) => void,
  limitMs: number | undefined,
): Promise<boolean> {
  const end = performance.now() + (limitMs ?? 0);
  let clean = true;
  for (const [name, close] of Object.entries(parts)) {
    try {
      const work = Promise.resolve(close());
      await (limitMs === undefined ? work : within(work, (end - performance.now()) / 2));
    } catch (error) {
      clean = false;
      log(`closing the ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return clean;
}

/** The work, as long as it ends in time. */
function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), Math.max(0, ms));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
