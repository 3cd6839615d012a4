import { signal } from '@preact/signals';
import { refreshAll } from './client.ts';
import { listen } from './live.ts';

/** How far the reading of agent logs has got; undefined when all are read. */
export interface LogProgress {
  readonly done: number;
  readonly total: number;
  /** Undefined until there is an estimate. */
  readonly secondsLeft: number | undefined;
}

/** While this is set, session lists and figures are incomplete. */
export const logsReading = signal<LogProgress | undefined>(undefined);

/** An estimate from a shorter time would be a guess. */
const MIN_MEASURED_MS = 3_000;

/** Follows the reading of logs; when it ends, everything on the page is loaded again. */
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
