import { PinholeError } from './errors.ts';

/** Stops a loop that has gone wild; far above what an agent, a page or all scripts together ask for. */
export const DEFAULT_PER_MINUTE = 12_000;
const MAX_COUNTED_CALLERS = 10_000;

/** How many calls of an operation a caller has left. */
export interface RateLeft {
  readonly per_minute: number;
  readonly remaining: number;
  /** Seconds until all of them are there again. */
  readonly reset_seconds: number;
}

/** Counts a call; throws `rate_limited` when there were too many. */
export type TakeTurn = (operation: string, caller: string, perMinute?: number) => RateLeft;

/** Counts calls per operation and caller; full buckets refill evenly over a minute. */
export function createRateLimit(now: () => number): TakeTurn {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return function takeTurn(operation: string, caller: string, perMinute = DEFAULT_PER_MINUTE): RateLeft {
    const key = `${operation}\n${caller}`;
    const at = now();
    const bucket = buckets.get(key);
    // A clock that is set back must not lock callers out.
    if (bucket !== undefined && at < bucket.at) bucket.at = at;
    const refilled = bucket ? bucket.tokens + ((at - bucket.at) * perMinute) / 60_000 : perMinute;
    const tokens = Math.min(perMinute, refilled);
    if (tokens < 1) {
      const seconds = Math.ceil(((1 - tokens) * 60) / perMinute);
      throw new PinholeError(
        'rate_limited',
        `${operation} allows ${perMinute} calls per minute; try again in ${seconds} s.`,
        {
          details: { retry_after_seconds: seconds },
        },
      );
    }
    const left = tokens - 1;
    buckets.delete(key);
    buckets.set(key, { tokens: left, at });
    const oldest = buckets.keys().next().value;
    if (buckets.size > MAX_COUNTED_CALLERS && oldest !== undefined) buckets.delete(oldest);
    return {
      per_minute: perMinute,
      remaining: Math.floor(left),
      reset_seconds: Math.ceil(((perMinute - left) * 60) / perMinute),
    };
  };
}
