import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './call.ts';
import { ApiError, epoch } from './client.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { DataOf, InputOf, OperationName } from './operations.ts';
import { addressOf } from './request.ts';

interface Known<Row> {
  readonly url: string | undefined;
  readonly rows: readonly Row[] | undefined;
}

/**
 * All rows of a list, for views that need them together. They are loaded page by page and shown as they arrive. When
 * `version` changes they are loaded again, and the old ones stay until all are there. Undefined input loads nothing
 * and has no rows; rows are undefined until some are known.
 */
export function useAll<Name extends OperationName, Row>(
  name: Name,
  input: InputOf<Name> | undefined,
  rowsOf: (data: DataOf<Name>) => readonly Row[],
  version: number,
): readonly Row[] | undefined {
  const url = input && addressOf(name, input);
  const [known, setKnown] = useState<Known<Row>>({ url: undefined, rows: undefined });
  const reload = useRef(() => {});
  useEffect(() => {
    reload.current = () => {};
    if (input === undefined) return;
    const stop = new AbortController();
    const read = async () => {
      let rows: readonly Row[] = [];
      for (let cursor: string | undefined; ; ) {
        const answer = await call(name, { ...input, cursor }, { signal: stop.signal });
        rows = [...rows, ...rowsOf(answer.data)];
        cursor = answer.pagination?.next_cursor;
        const now = rows;
        const last = cursor === undefined;
        setKnown((before) =>
          last || before.url !== url || (before.rows?.length ?? 0) < now.length ? { url, rows: now } : before,
        );
        if (last) return;
      }
    };
    const load = oneAtATime(() =>
      read().catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        // The page must not wait for rows that will not arrive.
        setKnown((before) => (before.url === url ? before : { url, rows: [] }));
      }),
    );
    reload.current = () => void load();
    void load();
    return () => stop.abort();
  }, [url, epoch.value]);
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current !== version) reload.current();
    seen.current = version;
  }, [version]);
  if (url === undefined) return [];
  return known.url === url ? known.rows : undefined;
}
