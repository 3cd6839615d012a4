import { signal } from '@preact/signals';
import { href, type Query } from '../frame/router.ts';

export interface Pagination {
  readonly total_in_page: number;
  readonly total?: number;
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

/** A good answer of the API. */
export interface Answer<Data> {
  readonly data: Data;
  readonly pagination?: Pagination;
  readonly hint?: string;
  readonly link?: string;
  readonly links?: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A refusal of the API, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, retryable: boolean) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

/** False while Pinhole does not answer; views load again when it is back. */
export const connected = signal(true);
/** True when Pinhole wants its token first; views load again when it has been given. */
export const signedOut = signal(false);
/** Counts up whenever everything on the page should be asked for again. */
export const epoch = signal(0);

/** Lets all views ask again. */
export function refreshAll(): void {
  epoch.value++;
}

/** One call of the API. Throws {@link ApiError}, or what the signal was aborted with. */
export async function call<Data>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Answer<Data>> {
  const { body, signal: stop } = options;
  const response = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(stop === undefined ? {} : { signal: stop }),
  }).catch((error: unknown) => {
    if (stop?.aborted) throw error;
    void lost();
    throw new ApiError(
      'unreachable',
      'Pinhole does not answer. This page goes on by itself when it is back.',
      true,
    );
  });
  if (response.status === 401) signedOut.value = true;
  // Our own server's answer; a body that is no JSON comes only from a broken connection.
  const parsed = (await response.json().catch(() => ({}))) as Partial<Answer<Data>> & {
    error?: Partial<ApiError>;
  };
  if (response.ok && parsed.data !== undefined) return { meta: {}, ...parsed, data: parsed.data };
  const {
    code = 'internal_error',
    message = `The answer was ${response.status}.`,
    retryable = false,
  } = parsed.error ?? {};
  throw new ApiError(code, message, retryable);
}

export function get<Data>(path: string, query: Query = {}, stop?: AbortSignal): Promise<Answer<Data>> {
  return call('GET', href(path, query), stop === undefined ? {} : { signal: stop });
}

const ASK_MS = 1_000;
/** A line that was cut answers nothing, not even no. */
const PATIENCE_MS = 5_000;
let trying = false;

/** Asks every second until Pinhole answers again. */
export async function lost(): Promise<void> {
  if (trying) return;
  trying = true;
  // It may be there all the same: a stream also ends when it is only told to.
  for (let first = true; ; first = false) {
    const answer = await fetch('/api/health', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      () => undefined,
    );
    if (answer !== undefined && (answer.ok || answer.status === 401)) {
      signedOut.value = answer.status === 401;
      break;
    }
    if (first) connected.value = false;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  trying = false;
  const wasGone = !connected.value;
  connected.value = true;
  if (wasGone) refreshAll();
}
