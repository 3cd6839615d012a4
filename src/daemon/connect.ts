import { VERSION } from '../contract/version.ts';
import { callOwner } from './http-client.ts';
import type { OwnerRecord } from './owner-file.ts';
import { reachOwner } from './reach-owner.ts';
import { stopOwner } from './stop-owner.ts';

/** The running owner, started when there is none; an idle one of another version is replaced. */
export async function findOrStartOwner(home: string): Promise<OwnerRecord> {
  const owner = await reachOwner(home);
  if (owner.version === VERSION || !owner.idle) return owner;
  await stopOwner(home);
  return reachOwner(home);
}

/** The address of the page for a person at this machine; it signs in, once. */
export async function pageAddress(owner: OwnerRecord): Promise<string> {
  const reply = await callOwner(owner, 'POST', '/internal/page-link');
  // Our own route.
  const { path } = JSON.parse(reply.body) as { path: string };
  return `http://${owner.host.includes(':') ? `[${owner.host}]` : owner.host}:${owner.port}${path}`;
}
