import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiError, call, epoch } from './client.ts';

/** What is known of an answer: the last one stays while a newer one is on its way. */
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

const KEPT = 80;
const recent = new Map<string, Answer<unknown>>();

function remember(url: string, answer: Answer<unknown>): void {
  recent.delete(url);
  recent.set(url, answer);
  const oldest = recent.keys().next().value;
  if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest);
}

/** What was answered before is shown at once and asked for again behind it: going back does not wait. */
function remembered<Data>(url: string | undefined): Answer<Data> | undefined {
  // Only answers to the same address are kept under it.
  return url === undefined ? undefined : (recent.get(url) as Answer<Data> | undefined);
}

/**
 * The answer of an address of the API; asked again when it or `version` changes, when Pinhole comes back, and every
 * `every` milliseconds while the page is looked at. Undefined asks for nothing.
 */
export function useAnswer<Data>(
  url: string | undefined,
  options: { readonly every?: number; readonly version?: number } = {},
): Loaded<Data> {
  const { every, version } = options;
  const [state, setState] = useState<State<Data>>(() => ({
    url,
    answer: remembered<Data>(url),
    error: undefined,
    loading: url !== undefined,
  }));
  const [turn, setTurn] = useState(0);
  const latest = useRef(state);
  latest.current = state;

  useEffect(() => {
    if (url === undefined) {
      setState({ url, answer: undefined, error: undefined, loading: false });
      return;
    }
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const known = remembered<Data>(url);
    setState({ url, answer: known ?? latest.current.answer, error: undefined, loading: true });
    const ask = async () => {
      try {
        const answer = await call<Data>('GET', url, { signal: stop.signal });
        remember(url, answer);
        setState({ url, answer, error: undefined, loading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        // An answer to another question must not stand under an error.
        const answer =
          latest.current.url === url && error.code === 'unreachable' ? latest.current.answer : undefined;
        setState({ url, answer, error, loading: false });
      }
      if (every !== undefined && !stop.signal.aborted) timer = setTimeout(again, every);
    };
    const again = () => {
      if (document.hidden)
        document.addEventListener('visibilitychange', again, { once: true, signal: stop.signal });
      else void ask();
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [url, turn, epoch.value, every, version]);

  return {
    answer: state.answer,
    error: state.error,
    loading: state.loading || state.url !== url,
    reload: () => setTurn((n) => n + 1),
  };
}
