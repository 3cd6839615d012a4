import { indexHandle } from '../handles.ts';
import { ageOf, freshnessText } from '../indexes/freshness.ts';
import type { QueryAnswer } from './query-answer.ts';
import type { QueryPart } from './query-parts.ts';

/** A query on its way. */
export interface Query {
  /** The filter as the caller wrote it; undefined for everything. */
  readonly filter: unknown;
  readonly parts: readonly QueryPart[];
  /** True if the caller named the folders. */
  readonly named: boolean;
  /** On the clock of `performance.now()`. */
  readonly started: number;
}

/** What every answer says first: the folders it is about, and what may make it wrong. */
export function headOf({ parts, named }: Query, now: number, note?: string): Partial<QueryAnswer> {
  const [first, ...others] = parts;
  const only = others.length === 0 ? first : undefined;
  const stale = parts
    .map(({ open, base }) => open.freshAt(base))
    .find(({ changedFolders }) => changedFolders > 0);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(stale === undefined ? [] : [`Scanned ${freshnessText(stale, now)}.`]),
  ];
  const indexOf = ({ open, path }: QueryPart) => ({ index_id: indexHandle(open.row.id), root: path });
  return {
    ...(only !== undefined ? indexOf(only) : named ? {} : { indexes: parts.map(indexOf) }),
    note: notes.length === 0 ? undefined : notes.join(' '),
  };
}

/** Facts about the answer that are not data. */
export function metaOf({ parts, started }: Query, now: number, truncated: boolean) {
  const cut = parts.find(({ open }) => open.tree.meta.options.depthLimit !== undefined) ?? parts[0];
  return {
    ms: Math.round(performance.now() - started),
    ...(cut && ageOf(cut.open, cut.base, now)),
    ...(truncated ? { truncated: true } : {}),
  };
}
