import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiError, call, epoch } from './client.ts';

/** Rows of a list that is fetched page by page. */
export interface Pages<Data, Row> {
  readonly rows: readonly Row[];
  /** The first page's answer, for what is said about the whole list. */
  readonly first: Answer<Data> | undefined;
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** False while the rows still answer the question before this one. */
  readonly current: boolean;
  readonly error: ApiError | undefined;
  more(): void;
  reload(): void;
}

interface State<Data, Row> {
  readonly url: string | undefined;
  readonly rows: readonly Row[];
  readonly first: Answer<Data> | undefined;
  readonly cursor: string | undefined;
  readonly loading: boolean;
  readonly error: ApiError | undefined;
}

const NOTHING = { rows: [], first: undefined, cursor: undefined, error: undefined } as const;

/** A list of the API; `more` fetches what follows, as often as it is asked. */
export function usePages<Data, Row>(
  url: string | undefined,
  rowsOf: (data: Data) => readonly Row[],
): Pages<Data, Row> {
  const [state, setState] = useState<State<Data, Row>>({ ...NOTHING, url, loading: url !== undefined });
  const [turn, setTurn] = useState(0);
  const latest = useRef(state);
  latest.current = state;
  const stop = useRef(new AbortController());

  const load = useCallback(async (from: string, address: string, before: State<Data, Row>) => {
    const { signal } = stop.current;
    try {
      const answer = await call<Data>('GET', from, { signal });
      setState({
        url: address,
        rows: [...before.rows, ...rowsOf(answer.data)],
        first: before.first ?? answer,
        cursor: answer.pagination?.next_cursor,
        loading: false,
        error: undefined,
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // While Pinhole is away, what was shown stays.
      const kept = error.code === 'unreachable' && latest.current.url === address ? latest.current : before;
      setState({ ...kept, url: address, loading: false, error });
    }
  }, []);

  useEffect(() => {
    stop.current.abort();
    stop.current = new AbortController();
    if (url === undefined) {
      setState({ ...NOTHING, url, loading: false });
      return;
    }
    // The old rows stay in place until the new ones are here, so that nothing jumps.
    setState({ ...latest.current, error: undefined, loading: true });
    void load(url, url, { ...NOTHING, url, loading: true });
    return () => stop.current.abort();
  }, [url, turn, epoch.value, load]);

  return {
    rows: state.rows,
    first: state.first,
    total: state.first?.pagination?.total,
    hasMore: state.cursor !== undefined,
    loading: state.loading || state.url !== url,
    current: state.url === url,
    error: state.error,
    more() {
      const { cursor, loading } = latest.current;
      if (cursor === undefined || loading || url === undefined) return;
      const before = { ...latest.current, loading: true };
      latest.current = before;
      setState(before);
      // With the whole question, since a path may serve several operations, chosen by it.
      void load(`${url}${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`, url, before);
    },
    reload: () => setTurn((n) => n + 1),
  };
}
