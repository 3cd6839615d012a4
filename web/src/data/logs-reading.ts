import { signal } from '@preact/signals';
import { refreshAll } from './client.ts';
import { listen } from './live.ts';

/** How far agent logs are read; undefined when all of them are. */
export interface LogProgress {
  readonly done: number;
  readonly total: number;
  /** Undefined until it is known. */
  readonly secondsLeft: number | undefined;
}

/** While this is set, lists and figures of sessions are incomplete. */
export const logsReading = signal<LogProgress | undefined>(undefined);

/** An estimate from less than this would be a guess. */
const MIN_MEASURED_MS = 3_000;

/** Follows the reading of logs; when it has ended, everything on the page is loaded again. */
export function startLogsReading(): void {
  let first: { readonly at: number; readonly done: number } | undefined;
  listen('reading', ({ done, total }) => {
    if (total === 0) {
      first = undefined;
      if (logsReading.value === undefined) return;
      logsReading.value = undefined;
      refreshAll();
      return;
    }
    first ??= { at: Date.now(), done };
    const ms = Date.now() - first.at;
    const rate = ms < MIN_MEASURED_MS ? 0 : (done - first.done) / ms;
    logsReading.value = { done, total, secondsLeft: rate > 0 ? (total - done) / rate / 1000 : undefined };
  });
}
