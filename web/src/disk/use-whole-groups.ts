import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call } from '../data/client.ts';
import type { DuplicatesPage, EqualFiles } from './types.ts';

type Files = EqualFiles['files'];

export interface WholeGroups {
  /** Files of groups of which more was asked for, by their digest. */
  readonly files: ReadonlyMap<string, Files>;
  /** Fetches more files of a group. */
  more(group: string): void;
}

/** Groups of equal files that are larger than what a report says of them, fetched as far as they are asked for. */
export function useWholeGroups(addressOf: (group: string) => string): WholeGroups {
  const [files, setFiles] = useState<ReadonlyMap<string, Files>>(new Map());
  const next = useRef(new Map<string, string>());
  const busy = useRef(new Set<string>());
  const address = addressOf('');
  useEffect(() => {
    setFiles(new Map());
    next.current.clear();
  }, [address]);
  const read = async (group: string) => {
    const cursor = next.current.get(group);
    const url = addressOf(group);
    const { data, pagination } = await call<DuplicatesPage>(
      'GET',
      cursor === undefined ? url : `${url}&cursor=${encodeURIComponent(cursor)}`,
    );
    if (pagination?.next_cursor === undefined) next.current.delete(group);
    else next.current.set(group, pagination.next_cursor);
    setFiles((known) => {
      const before = cursor === undefined ? [] : (known.get(group) ?? []);
      return new Map(known).set(group, [...before, ...(data.files ?? [])]);
    });
  };
  return {
    files,
    more(group) {
      if (busy.current.has(group)) return;
      busy.current.add(group);
      read(group)
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          // A forgotten place: the next click begins again.
          next.current.delete(group);
        })
        .finally(() => busy.current.delete(group));
    },
  };
}
