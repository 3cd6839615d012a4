import { useEffect, useState } from 'preact/hooks';
import { ApiError, call, epoch } from './client.ts';

interface Known<Row> {
  readonly url: string | undefined;
  readonly rows: readonly Row[];
}

/**
 * All rows of a list, page after page, for what needs them together. They are shown as they come; when `version`
 * changes they are read again, and the ones that are known stay until all are here. Undefined asks for nothing.
 */
export function useAll<Data, Row>(
  url: string | undefined,
  rowsOf: (data: Data) => readonly Row[],
  version: number,
): readonly Row[] {
  const [known, setKnown] = useState<Known<Row>>({ url: undefined, rows: [] });
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
          cursor === undefined || before.url !== url || before.rows.length < now.length
            ? { url, rows: now }
            : before,
        );
        if (cursor === undefined) return;
        query = `${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      }
    };
    read().catch((error: unknown) => {
      if (!stop.signal.aborted && !(error instanceof ApiError)) throw error;
    });
    return () => stop.abort();
  }, [url, version, epoch.value]);
  return known.url === url ? known.rows : [];
}
