import { VERSION } from '../contract/version.ts';
import type { BackgroundRecord } from './background-record.ts';
import { callBackground } from './call-background.ts';
import { NoBackground, reachBackground } from './reach-background.ts';
import { stopBackground } from './stop-background.ts';

/** Whether commands must answer in their own process: `--local`, or `PINHOLE_LOCAL=1` for all commands of a sandbox. */
export function staysLocal(): boolean {
  return process.env.PINHOLE_LOCAL === '1';
}

/** The background process, started if none is running; an idle one of another version is replaced. */
export async function findOrStartBackground(home: string): Promise<BackgroundRecord> {
  if (staysLocal())
    throw new NoBackground('--local or PINHOLE_LOCAL=1 was given, so the background process is not used.');
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
