import { fail } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import type { Shell, Shells } from '../browse/shells.ts';
import { callCd, callDiskIndexes } from '../calls.ts';
import type { StoredPlan } from '../clean-up/clean-up-plans.ts';
import type { Disk } from '../disk.ts';
import { handleNumber, indexHandle } from '../handles.ts';
import { mayRead, mayReadIndex, mayReadSome, visibleSpans } from '../indexes/index-access.ts';
import type { IndexRow } from '../indexes/index-rows.ts';
import type { SavedQuery } from '../saved-queries.ts';
import type { Selection } from '../selections.ts';
import { rowsOfIds } from '../tree/row-spans.ts';

/* Stored things outlive the permission under which they were made, so it is checked again at every use. */

type Context = Pick<CallContext, 'roots'> & { readonly disk: Disk };

const OUTSIDE = 'outside the folders that may be read here. To allow it, a person runs: pinhole allow PATH';
const STORED_AT_ONCE = 50;

/** The selection with this handle, if all of it may be read here. */
export async function visibleSelection(ctx: Context, handle: string): Promise<Selection> {
  const selection = await ctx.disk.selections.get(handle);
  if (!(await maySeeSelection(ctx, selection))) fail('path_not_allowed', `${handle} has nodes ${OUTSIDE}`);
  return selection;
}

export async function maySeeSelection({ disk, roots }: Context, selection: Selection): Promise<boolean> {
  const index = await indexRow(disk, selection.index);
  // Without its index a selection reveals nothing but its name.
  if (index === undefined || mayReadIndex(index, roots)) return true;
  if (!mayReadSome(index, roots) || index.generation === 0) return false;
  const { tree } = await disk.indexes.open(indexHandle(selection.index));
  const spans = visibleSpans(tree, roots);
  const rows = rowsOfIds(tree, selection.nodes);
  return (
    rows.length === 0 ||
    (spans.length > 0 &&
      rows.every((row) => row < 0 || spans.some(({ from, to }) => row >= from && row <= to)))
  );
}

/** The saved query with this handle, if its index may be read here. */
export async function visibleQuery(ctx: Context, handle: string): Promise<SavedQuery> {
  const query = await ctx.disk.queries.get(handle);
  if (!(await maySeeQuery(ctx, query))) fail('path_not_allowed', `${handle} is about a folder ${OUTSIDE}`);
  return query;
}

export async function maySeeQuery({ disk, roots }: Context, query: SavedQuery): Promise<boolean> {
  const index = query.index === undefined ? undefined : await indexRow(disk, query.index);
  return index === undefined || mayReadSome(index, roots);
}

/** Whether a caller may change or delete a query: only if all of its index may be read. */
async function mayChangeQuery({ disk, roots }: Context, query: SavedQuery): Promise<boolean> {
  const index = query.index === undefined ? undefined : await indexRow(disk, query.index);
  return index === undefined || mayReadIndex(index, roots);
}

/** The saved query with this handle, if the caller may change or delete it. */
export async function changeableQuery(ctx: Context, handle: string): Promise<SavedQuery> {
  const query = await visibleQuery(ctx, handle);
  if (!(await mayChangeQuery(ctx, query)))
    fail('path_not_allowed', `The index of ${handle} includes folders ${OUTSIDE}`);
  return query;
}

/** Throws if a query with this name exists that the caller may not change. */
export async function requireFreeName(ctx: Context, name: string): Promise<void> {
  const known = await ctx.disk.queries.named(name);
  if (known !== undefined && !(await mayChangeQuery(ctx, known)))
    fail('conflict', 'A query with this name already exists for other folders. Choose another name.');
}

/** The plan with this handle, if every file in it may be read here. */
export async function visiblePlan(ctx: Context, handle: string): Promise<StoredPlan> {
  const plan = await ctx.disk.plans.get(handle);
  if (!maySeePlan(ctx, plan)) fail('path_not_allowed', `${handle} has files ${OUTSIDE}`);
  return plan;
}

export function maySeePlan({ roots }: Context, { plan }: StoredPlan): boolean {
  return plan.items.every(({ path }) => mayRead(path, roots));
}

/** The shell with this handle, if its folder may be read here. */
export async function visibleShell(
  { shells, roots }: Pick<CallContext, 'roots'> & { readonly shells: Shells },
  handle: string,
): Promise<Shell> {
  const shell = await shells.get(handle);
  if (!mayRead(shell.cwd, roots))
    fail('path_not_allowed', `The folder of ${handle} is ${OUTSIDE}`, { next: callCd({}) });
  return shell;
}

/** The index with this handle as lists show it, if any of it may be read here. */
export async function visibleIndex({ disk, roots }: Context, handle: string): Promise<IndexRow> {
  const row = await indexRow(disk, handleNumber('i', handle));
  return row === undefined || !mayReadSome(row, roots) ? failNoIndex(handle) : row;
}

export function failNoIndex(handle: string): never {
  fail('index_not_found', `No index '${handle.slice(0, 20)}' here.`, { next: callDiskIndexes({}) });
}

async function indexRow(disk: Disk, id: number): Promise<IndexRow | undefined> {
  return (await disk.indexes.list()).find((row) => row.id === id);
}

/** Stored things newest first, without those that the caller may not see. */
export async function* onlyVisible<Stored extends { readonly id: number }>(
  load: (before: number | undefined, limit: number) => Promise<readonly Stored[]>,
  maySee: (one: Stored) => boolean | Promise<boolean>,
  after: CallContext['after'],
): AsyncGenerator<Stored> {
  let before = typeof after === 'number' ? after : undefined;
  for (;;) {
    const loaded = await load(before, STORED_AT_ONCE);
    for (const one of loaded) if (await maySee(one)) yield one;
    before = loaded.at(-1)?.id;
    if (before === undefined || loaded.length < STORED_AT_ONCE) return;
  }
}
