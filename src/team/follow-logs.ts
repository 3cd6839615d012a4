import { errorText } from '../contract/errors.ts';
import type { LogFolder } from '../sessions/providers/log-files.ts';
import { watchLogs } from '../sessions/watch-logs.ts';
import type { createCollector } from './collector.ts';

/** Scans all logs from time to time, because some file systems report no changes. */
const SCAN_EVERY_MS = 60_000;

/** Sends what is new until the signal is aborted, one log after another. */
export async function followLogs(
  collector: ReturnType<typeof createCollector>,
  folders: readonly LogFolder[],
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  let paths = new Set<string>();
  let scan = true;
  let wake: () => void = () => {};
  const look = () => {
    scan = true;
    wake();
  };
  const changed = (some: readonly string[]) => {
    for (const path of some) paths.add(path);
    wake();
  };
  const watching = await watchLogs(folders, changed, look, report);
  const timer = setInterval(look, SCAN_EVERY_MS);
  signal.addEventListener('abort', () => wake());
  try {
    while (!signal.aborted) {
      const [all, some] = [scan, [...paths]];
      scan = false;
      paths = new Set();
      if (all) await collector.all();
      else if (some.length > 0) await collector.at(some);
      if (scan || paths.size > 0 || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    report(errorText(error));
  } finally {
    clearInterval(timer);
    await watching.close();
  }
}
