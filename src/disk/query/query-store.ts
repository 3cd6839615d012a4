import { at } from '../../contract/at.ts';
import { fail, PinholeError } from '../../contract/errors.ts';
import { indexHandle, selectionHandle } from '../handles.ts';
import { visibleSelection } from '../operations/visible.ts';
import type { Mode, SavedQuery } from '../saved-queries.ts';
import type { Selection } from '../selections.ts';
import type { DiskContext } from '../services.ts';
import { rowsOfIds } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** False for a caller who may not see the query's selection: the result went into another one, so this was no run of it. */
export async function mayRecordRun(ctx: DiskContext, query: SavedQuery, stored: Selection): Promise<boolean> {
  if (query.selection === undefined || query.selection === stored.id) return true;
  return visibleSelection(ctx, selectionHandle(query.selection)).then(
    () => true,
    (error: unknown) => !(error instanceof PinholeError && error.code === 'path_not_allowed'),
  );
}

export interface QueryResult {
  /** The selection that the caller wants it in. */
  readonly into: string | undefined;
  readonly query: SavedQuery | undefined;
  readonly mode: Mode;
  readonly index: number;
  readonly ids: readonly number[];
  readonly tree: Tree;
}

/** Stores a result in the selection that was asked for, in that of the query, or in a new one. */
export async function storeResult(
  ctx: DiskContext,
  { into, query, mode, index, ids, tree }: QueryResult,
): Promise<Selection> {
  const { selections } = ctx.disk;
  const handle = into ?? (query?.selection === undefined ? undefined : selectionHandle(query.selection));
  const known =
    handle === undefined
      ? undefined
      : await visibleSelection(ctx, handle).catch((error: unknown) => {
          // The query's own selection may be deleted or not visible to this caller; one that was named must exist.
          if (into !== undefined) throw error;
          return undefined;
        });
  if (known === undefined || (into === undefined && known.index !== index))
    return selections.create(query?.name ?? 'result', { index, tree }, ids, query !== undefined);
  if (known.index !== index)
    fail(
      'conflict',
      `${handle} belongs to index ${indexHandle(known.index)}. A selection has nodes of one index only.`,
    );
  if (mode === 'replace') return selections.replace(known, tree, ids);
  if (mode === 'append') return selections.replace(known, tree, [...known.nodes, ...ids]);
  const rows = rowsOfIds(tree, known.nodes);
  return selections.replace(known, tree, [...known.nodes.filter((_, i) => at(rows, i) >= 0), ...ids]);
}
