import { mayHoldSecret, redact } from '../../contract/redact.ts';
import type { Matcher } from '../../regex/matcher.ts';

/* A query for a secret finds nothing, not even the place where it is. */

/** True when a line matches only through a secret in it. */
export function matchesOnlySecret(matcher: Matcher, line: Buffer): boolean {
  const clean = cleanLine(line, 0, line.length);
  return clean !== undefined && !matcher.test(clean, 0, clean.length);
}

/** The same where only the matched texts are known: none of them is left once the secrets are gone. */
export function onlySecretsMatched(line: Buffer, matched: readonly string[]): boolean {
  const clean = cleanLine(line, 0, line.length)?.toString('utf8');
  return clean !== undefined && !matched.some((text) => clean.includes(text));
}

/** The line `bytes[from, to)` without its secrets; undefined when there are none. */
export function cleanLine(bytes: Buffer, from: number, to: number): Buffer | undefined {
  if (!mayHoldSecret(bytes, from, to)) return undefined;
  const text = bytes.toString('utf8', from, to);
  const clean = redact(text);
  return clean === text ? undefined : Buffer.from(clean);
}

/** True when there is a secret in the text. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}
