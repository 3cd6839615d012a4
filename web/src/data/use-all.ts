import { useEffect, useState } from 'preact/hooks';
import { ApiError, call, epoch } from './client.ts';

interface Known<Row> {
  readonly url: string | undefined;
  readonly rows: readonly Row[] | undefined;
}

/**
 * All rows of a list, page after page, for what needs them together. They are shown as they come; when `version`
 * changes they are read again, and the ones that are known stay until all are here. No address asks for nothing and has
 * none; what is not known yet is undefined.
 */
export function useAll<Data, Row>(
  url: string | undefined,
  rowsOf: (data: Data) => readonly Row[],
  version: number,
): readonly Row[] | undefined {
  const [known, setKnown] = useState<Known<Row>>({ url: undefined, rows: undefined });
  useEffect(() => {
    if (url === undefined) return;
    const stop = new AbortController();
    const read = async () => {
      let rows: readonly Row[] = [];
      for (let query = ''; ; ) {
        const answer = await call<Data>('GET', `${url}${query}`, { signal: stop.signal });
        rows = [...rows, ...rowsOf(answer.data)];
        const cursor = answer.pagination?.next_cursor;
        const now = rows;
        setKnown((before) =>
          cursor === undefined || before.url !== url || (before.rows?.length ?? 0) < now.length
            ? { url, rows: now }
            : before,
        );
        if (cursor === undefined) return;
        query = `${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      }
    };
    read().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // Nobody waits for what does not come.
      setKnown((before) => (before.url === url ? before : { url, rows: [] }));
    });
    return () => stop.abort();
  }, [url, version, epoch.value]);
  if (url === undefined) return [];
  return known.url === url ? known.rows : undefined;
}
