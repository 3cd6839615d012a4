import { resolve } from 'node:path';
import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import type { Freshness } from '../log-reading.ts';
import { PROVIDERS, type Provider } from '../model/event.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';

/** What the operations on sessions get besides the usual context. */
export interface SessionServices {
  readonly sessions: Sessions;
}

/** Id, prefix of one, or path of a log. */
export const sessionId = z.string();

/** Names are checked in the service: a list of them in every tool would be paid for in every conversation. */
export const provider = z.string();

/** The client that is meant, however it is spelt: `claude`, `ClaudeCode`, `gemini-cli`. */
export function providerOf(given: string | undefined): Provider | undefined {
  if (given === undefined) return undefined;
  const name = given
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/c(?:ode|li)$/, '');
  const known = PROVIDERS.find((one) => one.replace('_code', '') === name);
  return known ?? fail('invalid_parameter', `provider must be one of ${PROVIDERS.join(', ')}.`);
}

/** The project that is meant: its hash, or its path, which may be relative to where the caller stands. */
export function projectOf(given: string | undefined, { cwd }: Pick<Caller, 'cwd'>): string | undefined {
  return given !== undefined && cwd !== undefined && /^\.{1,2}(?:\/|$)/.test(given)
    ? resolve(cwd, given)
    : given;
}

/** The address of a row of its own, for those who go on by addresses. */
export function rowLink(
  { caller, url }: { readonly caller: Pick<Caller, 'door'>; readonly url: (path: string) => string },
  ...path: readonly (string | number)[]
): string | undefined {
  if (caller.door !== 'rest') return undefined;
  return url(`/api/agent-sessions/${path.map((part) => encodeURIComponent(part)).join('/')}`);
}

export const SESSION_ALIASES = { id: 'session_id', session: 'session_id' } as const;

export function iso(ms: number): string {
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15
    ? `${new Date(ms).toISOString().slice(0, 19)}Z`
    : 'unknown';
}

/** At most `max` characters on one line, whole code points. */
export function snip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** At most `max` characters with line breaks kept; says how many bytes are missing, as the contract does. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}…[+${Buffer.byteLength(text) - Buffer.byteLength(head)} bytes]`;
}

/** A time: ISO text, an age such as `7d`, or milliseconds since 1970. */
export const timeInput = z.unknown();

/** Waits briefly for reading under way, so that what was just written is found; says so when it is not done. */
export async function freshness(
  sessions: Sessions,
): Promise<{ readonly indexing?: Omit<Freshness, 'fresh'> }> {
  const { fresh, ...progress } = await sessions.reading.settled(1500);
  return fresh ? {} : { indexing: progress };
}

export function durationSeconds(session: SessionRow): number {
  return Math.max(0, Math.round((session.endMs - session.startMs) / 1000));
}

export function shortHash(hash: string | undefined): string | undefined {
  return hash?.slice(0, 8);
}

/** `07-14 21:40`, for people, in UTC; with the year where it is another than now. */
export function clock(isoTime: string, now: number): string {
  if (isoTime === 'unknown') return '-';
  const year = new Date(now).toISOString().slice(0, 4);
  return `${isoTime.slice(isoTime.startsWith(year) ? 5 : 0, 10)} ${isoTime.slice(11, 16)}`;
}
