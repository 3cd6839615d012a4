import { fail } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import type { Shell, Shells } from '../browse/shells.ts';
import type { StoredPlan } from '../clean-up/clean-up-plans.ts';
import type { Disk } from '../disk.ts';
import { handleNumber, indexHandle } from '../handles.ts';
import { mayRead, mayReadIndex, mayReadSome, visibleSpans } from '../indexes/index-access.ts';
import type { IndexRow } from '../indexes/index-rows.ts';
import type { SavedQuery } from '../saved-queries.ts';
import type { ResourceSet } from '../sets.ts';
import { rowsOfIds } from '../tree/row-spans.ts';

/* What is kept for long outlives the permission under which it was made: it is checked again at every use. */

type Context = Pick<CallContext, 'roots'> & { readonly disk: Disk };

const OUTSIDE = 'outside the folders that may be read here. A person runs: pinhole allow PATH';

/** The set with this handle, if all that it holds may be read here. */
export async function visibleSet(ctx: Context, handle: string): Promise<ResourceSet> {
  const set = await ctx.disk.sets.get(handle);
  if (!(await maySeeSet(ctx, set))) fail('path_not_allowed', `${handle} holds nodes ${OUTSIDE}`);
  return set;
}

export async function maySeeSet({ disk, roots }: Context, set: ResourceSet): Promise<boolean> {
  const index = await indexRow(disk, set.index);
  // Without its index a set tells nothing but its name.
  if (index === undefined || mayReadIndex(index, roots)) return true;
  if (!mayReadSome(index, roots) || index.generation === 0) return false;
  const { tree } = await disk.indexes.open(indexHandle(set.index));
  const spans = visibleSpans(tree, roots);
  const rows = rowsOfIds(tree, set.nodes);
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

/** Whether a caller may change or forget a query: not when it is about more than the caller may read. */
async function mayChangeQuery({ disk, roots }: Context, query: SavedQuery): Promise<boolean> {
  const index = query.index === undefined ? undefined : await indexRow(disk, query.index);
  return index === undefined || mayReadIndex(index, roots);
}

/** The saved query with this handle, to be changed or forgotten. */
export async function ownQuery(ctx: Context, handle: string): Promise<SavedQuery> {
  const query = await visibleQuery(ctx, handle);
  if (!(await mayChangeQuery(ctx, query)))
    fail(
      'path_not_allowed',
      `${handle} is about more than may be read here. A person runs: pinhole allow PATH`,
    );
  return query;
}

/** Refuses to save a query under the name of one that this caller may not change. */
export async function nameIsFree(ctx: Context, name: string): Promise<void> {
  const known = await ctx.disk.queries.named(name);
  if (known !== undefined && !(await mayChangeQuery(ctx, known)))
    fail('conflict', 'A query of this name exists already for other folders; take another name.');
}

/** The plan with this handle, if everything that it names may be read here. */
export async function visiblePlan(ctx: Context, handle: string): Promise<StoredPlan> {
  const plan = await ctx.disk.plans.get(handle);
  if (!maySeePlan(ctx, plan)) fail('path_not_allowed', `${handle} names files ${OUTSIDE}`);
  return plan;
}

export function maySeePlan({ roots }: Context, { plan }: StoredPlan): boolean {
  return plan.items.every(({ path }) => mayRead(path, roots));
}

/** The shell with this handle, if the folder in which it stands may be read here. */
export async function visibleShell(
  { shells, roots }: Pick<CallContext, 'roots'> & { readonly shells: Shells },
  handle: string,
): Promise<Shell> {
  const shell = await shells.get(handle);
  if (!mayRead(shell.cwd, roots))
    fail('path_not_allowed', `${handle} stands ${OUTSIDE}; cd without shell opens another.`);
  return shell;
}

/** The index with this handle as it is listed, if any of it may be read here. */
export async function visibleIndex({ disk, roots }: Context, handle: string): Promise<IndexRow> {
  const row = await indexRow(disk, handleNumber('i', handle));
  if (row === undefined || !mayReadSome(row, roots))
    fail('index_not_found', `There is no index '${handle.slice(0, 20)}' here.`);
  return row;
}

async function indexRow(disk: Disk, id: number): Promise<IndexRow | undefined> {
  return (await disk.indexes.list()).find((row) => row.id === id);
}

/** Stored things newest first, without those that the caller may not see. */
export async function* onlyVisible<Kept extends { readonly id: number }>(
  load: (before: number | undefined, limit: number) => Promise<readonly Kept[]>,
  maySee: (one: Kept) => boolean | Promise<boolean>,
  after: CallContext['after'],
): AsyncGenerator<Kept> {
  const AT_ONCE = 50;
  let before = typeof after === 'number' ? after : undefined;
  for (;;) {
    const some = await load(before, AT_ONCE);
    for (const one of some) if (await maySee(one)) yield one;
    before = some.at(-1)?.id;
    if (before === undefined || some.length < AT_ONCE) return;
  }
}
