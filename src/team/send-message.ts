import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errorText, PinholeError } from '../contract/errors.ts';
import { type CollectAnswer, type CollectMessage, collectAnswer } from './collect-message.ts';

export interface SendOptions {
  /** The address of the server. */
  readonly to: string;
  readonly token: string | undefined;
  /** How long to try sending a message before it is postponed; undefined: until it arrives. */
  readonly patienceMs: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the reason when a message has to wait. */
  readonly waiting?: (reason: string, ms: number) => void;
  readonly fetch?: typeof fetch;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;
const ANSWER_MS = 120_000;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const pack = promisify(gzip);

/** Sends a message until the server has it. Retries after temporary errors; others are thrown. */
export async function sendMessage(message: CollectMessage, options: SendOptions): Promise<CollectAnswer> {
  const body = await pack(JSON.stringify(message));
  const begun = performance.now();
  for (let tries = 0; ; tries++) {
    const { answer, reason, retryMs } = await tryOnce(body, options);
    if (answer !== undefined) return answer;
    // Collectors that lost their server at the same moment must not all return at the same moment.
    const most = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
    const wait = (retryMs ?? 0) + Math.random() * most;
    if (options.patienceMs !== undefined && performance.now() - begun + wait > options.patienceMs)
      throw new PinholeError(
        'unavailable',
        `The server cannot be reached: ${reason}. What was not sent is sent next time.`,
      );
    options.waiting?.(reason, wait);
    await sleep(wait, undefined, { signal: options.signal });
  }
}

interface Try {
  readonly answer?: CollectAnswer;
  readonly reason: string;
  /** How long the server asks to wait. */
  readonly retryMs?: number | undefined;
}

async function tryOnce(body: Uint8Array<ArrayBuffer>, options: SendOptions): Promise<Try> {
  let response: Response;
  let text: string;
  try {
    response = await (options.fetch ?? fetch)(new URL('/api/collect', options.to), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      },
      redirect: 'error',
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    text = await response.text();
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { reason: errorText(cause) };
  }
  const said = parsed(text);
  if (response.ok) {
    const answer = collectAnswer.safeParse(said);
    if (answer.success) return { answer: answer.data, reason: '' };
    throw new PinholeError('conflict', `${options.to} is not a Pinhole server, or an older one.`);
  }
  const reason = errorIn(said) ?? `status ${response.status}`;
  if (PASSING.has(response.status))
    return { reason, retryMs: retryAfter(response.headers.get('retry-after')) };
  if (response.status === 401) throw new PinholeError('unauthorized', withoutToken(options));
  throw new PinholeError(response.status === 403 ? 'forbidden' : 'invalid_parameter', reason);
}

function withoutToken({ to, token }: SendOptions): string {
  const known = token === undefined ? 'needs a token' : 'does not know this token, or it was revoked';
  return `${to} ${known}. An administrator makes one: pinhole team token create NAME --scope collect. Give it in PINHOLE_COLLECT_TOKEN.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorIn(said: unknown): string | undefined {
  if (typeof said !== 'object' || said === null || !('error' in said)) return undefined;
  const { error } = said;
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : undefined;
}

/** Seconds, or a date. A date is by the server's clock, so it is only roughly right here. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_WAIT_MS) : undefined;
}
