import type { PostgresDatabase } from '../../store/postgres.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { type SignIns, signIns } from './sign-ins.ts';
import { REQUESTS_PER_MINUTE, type TeamSettings } from './team-settings.ts';

/** Who has access besides those with a token, and the server's public address. */
export interface TeamAccess {
  /** The public address, such as `https://pinhole.example.com`; undefined: the one a request was sent to. */
  readonly address: string | undefined;
  readonly requestsPerMinute: number;
  readonly provider:
    | (OpenIdProvider & { readonly settings: NonNullable<TeamSettings['provider']> })
    | undefined;
  readonly signIns: SignIns;
}

export async function teamAccess(
  db: PostgresDatabase,
  settings: TeamSettings | undefined,
  now: () => number,
): Promise<TeamAccess> {
  const provider = settings?.provider;
  return {
    address: settings?.address,
    requestsPerMinute: settings?.requests_per_minute ?? REQUESTS_PER_MINUTE,
    provider:
      settings === undefined || provider === undefined
        ? undefined
        : {
            ...(await import('./openid-provider.ts')).createProvider({ ...settings, provider }, now),
            settings: provider,
          },
    signIns: signIns(db, now),
  };
}
