import { VERSION } from '../contract/version.ts';
import type { BackgroundRecord } from './background-record.ts';
import { callBackground } from './call-background.ts';
import { reachBackground } from './reach-background.ts';
import { stopBackground } from './stop-background.ts';

/** The background process, started if none is running; an idle one of another version is replaced. */
export async function findOrStartBackground(home: string): Promise<BackgroundRecord> {
  const background = await reachBackground(home);
  if (background.version === VERSION || !background.idle) return background;
  await stopBackground(home);
  return reachBackground(home);
}

/** Replaces the tokens that HTTP accepts, and returns the user's new one. */
export async function replaceToken(background: BackgroundRecord): Promise<string> {
  const reply = await callBackground(background, 'POST', '/internal/rotate-token');
  // Our own route.
  return (JSON.parse(reply.body) as { token: string }).token;
}

/** The address of the page for a person at this machine; it signs in one browser, once. */
export async function pageAddress(background: BackgroundRecord): Promise<string> {
  const { host, port } = background;
  const reply = await callBackground(background, 'POST', '/internal/page-link');
  // Our own route.
  const { path } = JSON.parse(reply.body) as { path: string };
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}
