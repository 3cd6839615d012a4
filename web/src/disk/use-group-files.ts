import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ApiError } from '../data/client.ts';
import type { InputOf } from '../data/operations.ts';
import { addressOf } from '../data/request.ts';
import type { DuplicateGroup } from './types.ts';

type Files = DuplicateGroup['files'];
const FILES_AT_ONCE = 500;

export interface GroupFiles {
  /** The files of groups for which more were loaded, by group digest. */
  readonly files: ReadonlyMap<string, Files>;
  /** Loads more files of a group. */
  load(group: string): void;
}

/** The files of duplicate groups that are too large for the report; loaded on demand. */
export function useGroupFiles(input: InputOf<'disk_duplicates'>): GroupFiles {
  const [files, setFiles] = useState<ReadonlyMap<string, Files>>(new Map());
  const next = useRef(new Map<string, string>());
  const busy = useRef(new Set<string>());
  useEffect(() => {
    setFiles(new Map());
    next.current.clear();
  }, [addressOf('disk_duplicates', input)]);
  const read = async (group: string) => {
    const cursor = next.current.get(group);
    const { data, pagination } = await call('disk_duplicates', {
      ...input,
      group,
      limit: FILES_AT_ONCE,
      cursor,
    });
    if (pagination?.next_cursor === undefined) next.current.delete(group);
    else next.current.set(group, pagination.next_cursor);
    setFiles((known) => {
      const before = cursor === undefined ? [] : (known.get(group) ?? []);
      return new Map(known).set(group, [...before, ...(data.files ?? [])]);
    });
  };
  return {
    files,
    load(group) {
      if (busy.current.has(group)) return;
      busy.current.add(group);
      read(group)
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          // The cursor has expired: the next click starts from the beginning.
          next.current.delete(group);
        })
        .finally(() => busy.current.delete(group));
    },
  };
}
