import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { cameBack } from '../frame/router.ts';
import { type Answer, ApiError, epoch, send, takeArrived } from './client.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { addressOf } from './request.ts';

/** Rows of a list that is loaded page by page. */
export interface Pages<Data, Row> {
  readonly rows: readonly Row[];
  /** The answer with the first page, which describes the whole list. */
  readonly first: Answer<Data> | undefined;
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** False while the rows still belong to the previous input. */
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

/** Lists as the reader left them, by address, for the back button. */
const left = new Map<string, State<unknown, unknown>>();
const KEPT_LISTS = 20;

function keepList(url: string, state: State<unknown, unknown>): void {
  left.delete(url);
  left.set(url, state);
  const oldest = left.keys().next().value;
  if (left.size > KEPT_LISTS && oldest !== undefined) left.delete(oldest);
}

/** The list as the reader left it, after the back button. */
function leftList<Data, Row>(url: string | undefined): State<Data, Row> | undefined {
  if (url === undefined || !cameBack()) return undefined;
  // Only rows of an address are stored under it.
  return left.get(url) as State<Data, Row> | undefined;
}

/** The first page of a list, if it was requested ahead and is already there. */
function arrivedList<Data, Row>(
  url: string | undefined,
  rowsOf: (data: Data) => readonly Row[],
): State<Data, Row> | undefined {
  const first = url === undefined ? undefined : takeArrived<Data>(url);
  if (first === undefined) return undefined;
  const cursor = first.pagination?.next_cursor;
  return { url, rows: rowsOf(first.data), first, cursor, loading: false, error: undefined };
}

const NOTHING = { rows: [], first: undefined, cursor: undefined, error: undefined } as const;

/**
 * A list of an operation; `more` loads the next page. Undefined input loads nothing.
 *
 * @example const pages = usePages('list_sessions', { limit: 50 }, (data) => data.sessions);
 */
export function usePages<Name extends OperationName, Row>(
  name: Name,
  input: InputOf<Name> | undefined,
  rowsOf: (data: DataOf<Name>) => readonly Row[],
): Pages<DataOf<Name>, Row> {
  type Data = DataOf<Name>;
  const url = input && addressOf(name, input);
  const [state, setState] = useState<State<Data, Row>>(
    () =>
      leftList<Data, Row>(url) ?? arrivedList(url, rowsOf) ?? { ...NOTHING, url, loading: url !== undefined },
  );
  const known = useRef(state.first !== undefined);
  const [reloads, setReloads] = useState(0);
  const latest = useRef(state);
  latest.current = state;
  const stop = useRef(new AbortController());

  const load = useCallback(async (page: string, list: string, before: State<Data, Row>) => {
    const { signal } = stop.current;
    try {
      const answer = await send<Data>('GET', page, { signal });
      setState({
        url: list,
        rows: [...before.rows, ...rowsOf(answer.data)],
        first: before.first ?? answer,
        cursor: answer.pagination?.next_cursor,
        loading: false,
        error: undefined,
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'invalid_cursor') {
        // The cursor has expired: load the list again.
        setReloads((n) => n + 1);
        return;
      }
      // While Pinhole does not respond, the rows on the page stay.
      const kept = error.code === 'unreachable' && latest.current.url === list ? latest.current : before;
      setState({ ...kept, url: list, loading: false, error });
    }
  }, []);

  // Before the first paint: requests the rows one frame earlier.
  useLayoutEffect(() => {
    stop.current.abort();
    stop.current = new AbortController();
    if (known.current) {
      known.current = false;
      return () => stop.current.abort();
    }
    if (url === undefined) {
      setState({ ...NOTHING, url, loading: false });
      return;
    }
    // The old rows stay in place until the new ones arrive, so that nothing jumps.
    setState({ ...latest.current, error: undefined, loading: true });
    void load(url, url, { ...NOTHING, url, loading: true });
    return () => stop.current.abort();
  }, [url, reloads, epoch.value, load]);

  useEffect(() => {
    if (state.url !== undefined && !state.loading && state.error === undefined) keepList(state.url, state);
  }, [state]);

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
      if (cursor === undefined || loading || input === undefined || url === undefined) return;
      const before = { ...latest.current, loading: true };
      latest.current = before;
      setState(before);
      void load(addressOf(name, { ...input, cursor }), url, before);
    },
    reload: () => setReloads((n) => n + 1),
  };
}
