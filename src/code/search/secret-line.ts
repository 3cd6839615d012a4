import { redact } from '../../contract/redact.ts';
import type { Matcher } from '../regex/matcher.ts';

/** True when a line matches only through a secret in it: a query for a secret finds nothing, not even where it is. */
export function matchesOnlySecret(matcher: Matcher, line: Buffer): boolean {
  const text = line.toString('utf8');
  const clean = redact(text);
  if (clean === text) return false;
  const bytes = Buffer.from(clean);
  return !matcher.test(bytes, 0, bytes.length);
}
