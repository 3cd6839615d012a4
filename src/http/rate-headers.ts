import type { Answer } from '../contract/engine.ts';

/** How many calls of this kind the caller has left, as HTTP says it. */
export function rateHeaders(answer: Answer): Record<string, string> {
  const wait = answer.ok ? undefined : answer.error.details?.retry_after_seconds;
  return {
    ...(answer.rate && {
      'ratelimit-limit': String(answer.rate.per_minute),
      'ratelimit-remaining': String(answer.rate.remaining),
      'ratelimit-reset': String(answer.rate.reset_seconds),
    }),
    ...(typeof wait === 'number' && { 'retry-after': String(wait) }),
  };
}
