import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiError, arrivedAhead, epoch, send } from './client.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { addressOf } from './request.ts';

/** The state of an answer: the last one stays while a newer one is being loaded. */
export interface Loaded<Data> {
  readonly answer: Answer<Data> | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  reload(): void;
}

interface State<Data> {
  readonly url: string | undefined;
  readonly answer: Answer<Data> | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
}

interface LoadOptions {
  /** Loads again after this many milliseconds, while the page is visible. */
  readonly every?: number | undefined;
  /** Loads again when this changes. */
  readonly version?: number;
}

const CACHED_ANSWERS = 80;
const cache = new Map<string, Answer<unknown>>();

function remember(url: string, answer: Answer<unknown>): void {
  cache.delete(url);
  cache.set(url, answer);
  const oldest = cache.keys().next().value;
  if (cache.size > CACHED_ANSWERS && oldest !== undefined) cache.delete(oldest);
}

/** An earlier answer is shown at once and loaded again behind it, so going back does not wait. */
function remembered<Data>(url: string | undefined): Answer<Data> | undefined {
  // The cache only holds answers from this address under it.
  return url === undefined ? undefined : (cache.get(url) as Answer<Data> | undefined);
}

/**
 * An operation's answer. It is loaded again when the input or `version` changes, when Pinhole comes back, and
 * every `every` milliseconds while the page is visible. Undefined input loads nothing.
 *
 * @example const { answer, error } = useAnswer('get_session_summary', { session_id });
 */
export function useAnswer<Name extends OperationName>(
  name: Name,
  input: InputOf<Name> | undefined,
  options: LoadOptions = {},
): Loaded<DataOf<Name>> {
  return useAddress(input && addressOf(name, input), options);
}

/** Loads the plan behind an answer instead of the answer. */
export function useExplanation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): Loaded<unknown> {
  return useAddress(addressOf(name, input, { format: 'explain' }), {});
}

function useAddress<Data>(url: string | undefined, { every, version }: LoadOptions): Loaded<Data> {
  const [state, setState] = useState<State<Data>>(() => ({
    url,
    answer: remembered<Data>(url) ?? (url === undefined ? undefined : arrivedAhead<Data>(url)),
    error: undefined,
    loading: url !== undefined,
  }));
  const latest = useRef(state);
  latest.current = state;
  const reload = useRef(() => {});

  // Before the first paint: requests the answer one frame earlier.
  useLayoutEffect(() => {
    reload.current = () => {};
    if (url === undefined) {
      setState({ url, answer: undefined, error: undefined, loading: false });
      return;
    }
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const known = remembered<Data>(url);
    setState({ url, answer: known ?? latest.current.answer, error: undefined, loading: true });
    const load = oneAtATime(async () => {
      clearTimeout(timer);
      try {
        const answer = await send<Data>('GET', url, { signal: stop.signal });
        remember(url, answer);
        setState({ url, answer, error: undefined, loading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        // An answer from another address must not be shown under an error.
        const answer =
          latest.current.url === url && error.code === 'unreachable' ? latest.current.answer : undefined;
        setState({ url, answer, error, loading: false });
      }
      if (every !== undefined && !stop.signal.aborted) timer = setTimeout(loadAgain, every);
    });
    const loadAgain = () => {
      if (document.hidden)
        document.addEventListener('visibilitychange', loadAgain, { once: true, signal: stop.signal });
      else void load();
    };
    reload.current = () => {
      setState((before) => ({ ...before, error: undefined, loading: true }));
      void load();
    };
    void load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [url, epoch.value, every]);
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current !== version) reload.current();
    seen.current = version;
  }, [version]);

  return {
    answer: state.answer,
    error: state.error,
    loading: state.loading || state.url !== url,
    reload: () => reload.current(),
  };
}
