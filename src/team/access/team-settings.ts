import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { errorText, fail } from '../../contract/errors.ts';

/** Whom a rule applies to, and what they may see. The first rule that matches decides. */
const rule = z
  .strictObject({
    /** An address such as `ann@example.com`, or all of a domain: `*@example.com`. */
    email: z
      .string()
      .regex(/^(?:\*|[^@\s*]+)@[^@\s*]+$/, 'must look like ann@example.com or *@example.com')
      .optional(),
    /** A claim that has this value, or a list that contains it: `{ "groups": "platform" }`. */
    claim: z.record(z.string().min(1), z.string().min(1)).optional(),
    scopes: z
      .array(z.enum(['read', 'admin']))
      .min(1)
      .default(['read']),
    projects: z.union([z.literal('all'), z.array(z.string().min(1))]),
  })
  .refine(
    ({ email, claim }) => (email === undefined) !== (claim === undefined),
    'needs either email or claim',
  );

const settings = z.strictObject({
  /** The public address of the server, which is that of the proxy. */
  address: z
    .url({ protocol: /^https?$/ })
    .refine(
      (text) => new URL(text).pathname === '/' && !/[?#@]/.test(text),
      'must be without path, query and user',
    )
    .transform((text) => new URL(text).origin),
  provider: z
    .strictObject({
      issuer: z.url({ protocol: /^https?$/ }),
      /** The client id under which the provider knows the page. */
      client_id: z.string().min(1),
      /** A file that contains only the client's secret; a public client has none. */
      client_secret_file: z.string().min(1).optional(),
      scopes: z.array(z.string().min(1)).default(['openid', 'email']),
      /** The prefix of access token scopes: `pinhole:read`. */
      scope_prefix: z.string().default('pinhole:'),
      /** For providers that do not say whether they verified addresses. */
      trust_unverified_email: z.boolean().default(false),
      /** How long a browser stays signed in. */
      hours: z.number().positive().max(720).default(12),
      /** Who may see what. */
      people: z.array(rule).min(1),
    })
    .optional(),
  /** Requests per minute for one token or one person. */
  requests_per_minute: z.int().min(1).default(3_000),
});

export type TeamSettings = z.infer<typeof settings>;
export type ProviderSettings = NonNullable<TeamSettings['provider']>;
/** Requests per minute if the settings do not say otherwise. */
export const REQUESTS_PER_MINUTE = 3_000;

/** Reads the settings of a team server; an error names the location of the mistake. */
export function readTeamSettings(file: string): TeamSettings {
  const text = textOf(file);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    fail('invalid_parameter', `${file} is not JSON: ${errorText(error)}`);
  }
  return checkTeamSettings(given, file);
}

/** The secret of the page's client; undefined for a public client. */
export function clientSecret({ client_secret_file: file }: ProviderSettings): string | undefined {
  return file === undefined ? undefined : textOf(file).trim();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return fail(
      'invalid_parameter',
      `A file of the team server's settings cannot be read: ${errorText(error)}`,
    );
  }
}

export function checkTeamSettings(given: unknown, file: string): TeamSettings {
  const checked = settings.safeParse(given);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    fail('invalid_parameter', `${file}: ${issue?.path.join('.') || 'settings'}: ${issue?.message}`);
  }
  const { address, provider } = checked.data;
  for (const [name, url] of [
    ['address', address],
    ['provider.issuer', provider?.issuer],
  ] as const)
    if (url !== undefined && provider !== undefined && !isSafe(url))
      fail('invalid_parameter', `${file}: ${name}: must begin with https:// unless it is on this machine.`);
  return checked.data;
}

/** Nobody on the way may read the codes and cookies of a sign-in. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
