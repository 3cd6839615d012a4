import type { TokenHolder } from '../team-tokens.ts';
import type { ProviderSettings } from './team-settings.ts';

/** What a provider says about somebody: the claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME_LENGTH = 100;

/** What the rules let somebody see; undefined if none matches. */
export function holderOfClaims(claims: Claims, provider: ProviderSettings): TokenHolder | undefined {
  const email = emailOf(claims, provider);
  const fits = provider.people.find((rule) =>
    rule.email !== undefined
      ? email !== undefined && isAddress(email, rule.email)
      : Object.entries(rule.claim ?? {}).every(([name, value]) => hasValue(claims[name], value)),
  );
  if (fits === undefined) return undefined;
  return {
    name: nameOf(email ?? claims.sub),
    scopes: fits.scopes,
    projects: fits.projects === 'all' ? undefined : fits.projects,
  };
}

/** The claims that the rules use, and those that name somebody: nothing else of a sign-in is stored. */
export function usedClaims(claims: Claims, { people }: ProviderSettings): Claims {
  const used = new Set([
    'sub',
    'email',
    'email_verified',
    ...people.flatMap(({ claim = {} }) => Object.keys(claim)),
  ]);
  return Object.fromEntries(Object.entries(claims).filter(([name]) => used.has(name)));
}

/** The address in lower case, if the provider verified it. */
function emailOf({ email, email_verified }: Claims, settings: ProviderSettings): string | undefined {
  // In lower case, some letters of other alphabets become ASCII letters.
  if (typeof email !== 'string' || /[^!-~]/.test(email)) return undefined;
  return email_verified === true || settings.trust_unverified_email ? email.toLowerCase() : undefined;
}

function isAddress(email: string, wanted: string): boolean {
  const rule = wanted.toLowerCase();
  // From the last @ on: the part before it may be quoted and contain another.
  return rule.startsWith('*@') ? email.slice(email.lastIndexOf('@')) === rule.slice(1) : email === rule;
}

function hasValue(claim: unknown, wanted: string): boolean {
  return Array.isArray(claim) ? claim.includes(wanted) : claim === wanted;
}

/** Names are shown in lists and in the audit, so they have no characters with a special meaning there. */
function nameOf(given: unknown): string {
  return String(given)
    .replace(/[^\w.@+-]/g, '_')
    .slice(0, MAX_NAME_LENGTH);
}
