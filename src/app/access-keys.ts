import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a token opens: everything but what needs a person, or reading what was allowed. */
export type KeyKind = 'script' | 'reader';

/** The tokens that HTTP accepts. */
export interface AccessKeys {
  /** For the user's own scripts and clients. */
  token(): string;
  /** What a given token opens, if it is one of ours. */
  kindOf(given: string): KeyKind | undefined;
  /** Replaces all tokens; the old ones open nothing from now on. */
  rotate(): string;
}

export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * The token to give to others. It is made from the user's own one, which cannot be computed from it, so both are
 * replaced together and only one has to be stored.
 */
export function teamToken(token: string): string {
  return createHmac('sha256', token).update('pinhole team').digest('base64url').slice(0, 32);
}

export function accessKeys(first: string): AccessKeys {
  let token = first;
  return {
    token: () => token,
    kindOf(given) {
      if (isSame(given, token)) return 'script';
      return isSame(given, teamToken(token)) ? 'reader' : undefined;
    },
    rotate() {
      token = newToken();
      return token;
    },
  };
}

/** Compares secrets in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
