import { errorStack } from '../contract/errors.ts';
/**
 * Closes parts one after another, even if one of them fails. With a time limit for all of them, a part that hangs does
 * not block the others either: each gets half of the time that is left. Returns whether everything closed.
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
      log(`closing the ${name}: ${errorStack(error)}`);
    }
  }
  return clean;
}

/** The result of the work, or an error if it takes too long. */
function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), Math.max(0, ms));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
