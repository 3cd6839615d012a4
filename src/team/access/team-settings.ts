import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { errorText, fail } from '../../contract/errors.ts';

/** Whom the provider's word is about, and what they may see. The first rule that fits decides. */
const rule = z
  .strictObject({
    /** An address such as `ann@example.com`, or all of a domain: `*@example.com`. */
    email: z
      .string()
      .regex(/^(?:\*|[^@\s*]+)@[^@\s*]+$/, 'must look like ann@example.com or *@example.com')
      .optional(),
    /** A claim that has a value, or a list that contains it: `{ "groups": "platform" }`. */
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
  /** How the outside reaches the server: the proxy's address. */
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
      /** The client that the provider knows the page by. */
      client_id: z.string().min(1),
      /** A file that holds the client's secret alone; a public client has none. */
      client_secret_file: z.string().min(1).optional(),
      scopes: z.array(z.string().min(1)).default(['openid', 'email']),
      /** What the scopes of access tokens begin with: `pinhole:read`. */
      scope_prefix: z.string().default('pinhole:'),
      /** For providers that say nothing about whether they checked addresses. */
      trust_unverified_email: z.boolean().default(false),
      /** How long a browser stays signed in. */
      hours: z.number().positive().max(720).default(12),
      /** Who may see what. */
      people: z.array(rule).min(1),
    })
    .optional(),
  /** Requests that one token, or one person, may send. */
  requests_per_minute: z.int().min(1).default(3_000),
});

export type TeamSettings = z.infer<typeof settings>;
export type ProviderSettings = NonNullable<TeamSettings['provider']>;
/** Requests per minute where no settings say otherwise. */
export const REQUESTS_PER_MINUTE = 3_000;

/** Reads the settings of a team server; a mistake names its place. */
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

/** Sign-in passes codes and cookies, which nobody on the way may read. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
