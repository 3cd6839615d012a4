import { signal } from '@preact/signals';
import type { Envelope } from '../../../src/contract/envelope.ts';
import { zone } from '../ui/zone.ts';
import { addressOf } from './request.ts';

/** A successful API answer. */
export type Answer<Data> = Omit<Envelope, 'data'> & { readonly data: Data };

/** An API error, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    retryable: boolean,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.details = details;
  }
}

/** False while Pinhole does not respond; views reload when it is back. */
export const connected = signal(true);
/** True when Pinhole requires signing in first; views reload afterwards. */
export const signedOut = signal(false);
/** Counts up when everything on the page should be loaded again. */
export const epoch = signal(0);

/** Makes all views load their data again. */
export function refreshAll(): void {
  epoch.value++;
}

interface SendOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * How long an answer that was requested ahead waits for its view. On a busy machine a view may take seconds to draw, and
 * should not ask once more then.
 */
const AHEAD_MS = 10_000;
interface Ahead {
  readonly coming: Promise<Answer<unknown>>;
  /** The answer, once it is there. */
  arrived?: Answer<unknown>;
}
const ahead = new Map<string, Ahead>();

/**
 * Requests what the view will need before its parts are drawn, so that it does not wait for other answers. The first
 * call for the address gets the answer.
 */
export function askAhead(url: string): void {
  if (ahead.has(url)) return;
  const asked: Ahead = { coming: request<unknown>('GET', url, {}) };
  ahead.set(url, asked);
  const forget = () => {
    if (ahead.get(url) === asked) ahead.delete(url);
  };
  asked.coming.then((answer) => {
    asked.arrived = answer;
  }, forget);
  setTimeout(forget, AHEAD_MS);
}

/** An answer that was requested ahead and is already there: a view that begins with it is drawn once instead of twice. */
export function arrivedAhead<Data>(url: string): Answer<Data> | undefined {
  // It was requested from the same address.
  return ahead.get(url)?.arrived as Answer<Data> | undefined;
}

/** The same, for the only part of the page that needs it. */
export function takeArrived<Data>(url: string): Answer<Data> | undefined {
  const answer = arrivedAhead<Data>(url);
  if (answer !== undefined) ahead.delete(url);
  return answer;
}

/** Sends one request to the API; operations are called with `call`. Throws {@link ApiError}, or the signal's abort reason. */
export async function send<Data>(
  method: string,
  url: string,
  options: SendOptions = {},
): Promise<Answer<Data>> {
  const asked = method === 'GET' ? ahead.get(url) : undefined;
  if (asked === undefined) return request(method, url, options);
  ahead.delete(url);
  // A request that failed earlier may succeed now.
  const answer = await asked.coming.catch(() => undefined);
  options.signal?.throwIfAborted();
  if (answer === undefined) return request(method, url, options);
  // It was requested from the same address.
  return answer as Answer<Data>;
}

async function request<Data>(method: string, url: string, options: SendOptions): Promise<Answer<Data>> {
  const { body, signal: stop } = options;
  const response = await fetch(url, {
    method,
    headers: {
      'x-pinhole-zone': zone(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(stop === undefined ? {} : { signal: stop }),
  }).catch((error: unknown) => {
    if (stop?.aborted) throw error;
    void reconnect();
    throw new ApiError('unreachable', 'Pinhole is not responding. This page reconnects by itself.', true);
  });
  if (response.status === 401) signedOut.value = true;
  // Our own server's answer; only a broken connection yields a body that is not JSON.
  const parsed = (await response.json().catch(() => ({}))) as Partial<Answer<Data>> & {
    error?: Partial<ApiError>;
  };
  if (response.ok && parsed.data !== undefined) return { meta: {}, ...parsed, data: parsed.data };
  const {
    code = 'internal_error',
    message = `Pinhole answered with status ${response.status}.`,
    retryable = false,
    details,
  } = parsed.error ?? {};
  throw new ApiError(code, message, retryable, details);
}

const RETRY_MS = 1_000;
/** A connection that was cut never answers, not even with an error. */
const RESPONSE_MS = 5_000;
let reconnecting = false;

/** Tries every second until Pinhole responds again. */
export async function reconnect(): Promise<void> {
  if (reconnecting) return;
  reconnecting = true;
  // Pinhole may still be there: a stream can also end without an error.
  for (let first = true; ; first = false) {
    const answer = await fetch(addressOf('health', {}), { signal: AbortSignal.timeout(RESPONSE_MS) }).catch(
      () => undefined,
    );
    if (answer !== undefined && (answer.ok || answer.status === 401)) {
      signedOut.value = answer.status === 401;
      break;
    }
    if (first) connected.value = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  reconnecting = false;
  const wasLost = !connected.value;
  connected.value = true;
  if (wasLost) refreshAll();
}
