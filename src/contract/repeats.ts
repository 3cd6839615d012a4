import { createHash } from 'node:crypto';

const WITHIN_MS = 10 * 60_000;
const MOST_KEPT = 10_000;

/**
 * Notices when a caller asks the same question again, which an agent does when an answer did not help it.
 * Questions are kept as digests, for ten minutes, in memory only.
 */
export function createRepeats(now: () => number) {
  const seen = new Map<string, number>();
  return function isRepeated(operation: string, caller: string, question: string): boolean {
    const key = createHash('sha256').update(`${caller}\n${operation}\n${question}`).digest('base64');
    const at = now();
    const before = seen.get(key);
    seen.delete(key);
    seen.set(key, at);
    const oldest = seen.keys().next().value;
    if (seen.size > MOST_KEPT && oldest !== undefined) seen.delete(oldest);
    return before !== undefined && at - before <= WITHIN_MS;
  };
}
