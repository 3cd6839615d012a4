import { redact } from '../../contract/redact.ts';
import type { Matcher } from '../../regex/matcher.ts';

/* A query for a secret finds nothing, not even the place where it is. */

/** True when a line matches only through a secret in it. */
export function matchesOnlySecret(matcher: Matcher, line: Buffer): boolean {
  const clean = withoutSecrets(line);
  if (clean === undefined) return false;
  const bytes = Buffer.from(clean);
  return !matcher.test(bytes, 0, bytes.length);
}

/** The same where only the matched texts are known: none of them is left once the secrets are gone. */
export function onlySecretsMatched(line: Buffer, matched: readonly string[]): boolean {
  const clean = withoutSecrets(line);
  return clean !== undefined && !matched.some((text) => clean.includes(text));
}

/** True when there is a secret in the text. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

function withoutSecrets(line: Buffer): string | undefined {
  const text = line.toString('utf8');
  const clean = redact(text);
  return clean === text ? undefined : clean;
}
