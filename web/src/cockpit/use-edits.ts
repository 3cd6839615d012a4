import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ApiError, epoch } from '../data/client.ts';
import type { FileTouch } from '../sessions/types.ts';
import type { Edit } from './trouble.ts';

/** Logs may be read a little after they were written. */
const OVERLAP_MS = 15_000;
const MAX_PAGES = 8;

/** The edits of all sessions in the last `spanMs`, oldest first; only new ones are loaded when `version` changes. */
export function useEdits(spanMs: number, version: number): readonly Edit[] {
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const newest = useRef(0);
  const round = epoch.value;
  const asked = useRef({ spanMs, round });
  useEffect(() => {
    if (asked.current.spanMs !== spanMs || asked.current.round !== round) newest.current = 0;
    asked.current = { spanMs, round };
    const stop = new AbortController();
    const begin = Date.now() - spanMs;
    const since = new Date(Math.max(begin, newest.current - OVERLAP_MS)).toISOString();
    read(since, stop.signal).then(
      (found) =>
        setEdits((before) => {
          const known = new Map(
            [...before, ...found].map((edit) => [`${edit.session} ${edit.event} ${edit.path}`, edit]),
          );
          const all = [...known.values()].filter(({ at }) => at >= begin).sort((a, b) => a.at - b.at);
          newest.current = all.at(-1)?.at ?? 0;
          return all;
        }),
      (error: unknown) => {
        if (!stop.signal.aborted && !(error instanceof ApiError)) throw error;
      },
    );
    return () => stop.abort();
  }, [spanMs, version, round]);
  return edits;
}

async function read(since: string, signal: AbortSignal): Promise<readonly Edit[]> {
  const edits: Edit[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, pagination } = await call(
      'file_history',
      { path: '/', since, diff_lines: 0, limit: 50, cursor },
      { signal },
    );
    for (const touch of data.touches ?? []) edits.push(...editOf(touch));
    cursor = pagination?.next_cursor;
    if (cursor === undefined) break;
  }
  return edits;
}

/** An edit that went well has no status. A failed or refused call changed nothing. */
function editOf(touch: FileTouch): readonly Edit[] {
  const { path, status } = touch;
  if (path === undefined || !(status === undefined || status === 'pending' || status === 'unknown'))
    return [];
  return [
    {
      session: touch.session_id,
      event: touch.event_index,
      turn: touch.turn_index ?? 0,
      step: touch.step_index ?? 0,
      path,
      at: Date.parse(touch.timestamp),
      added: touch.added ?? 0,
      removed: touch.removed ?? 0,
    },
  ];
}
