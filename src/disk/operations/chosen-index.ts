import { fail, inputMessage } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { callIndex } from '../../jobs/calls.ts';
import { callDiskIndexes } from '../calls.ts';
import { indexHandle } from '../handles.ts';
import { mayReadSome } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { DiskContext } from '../services.ts';

const MAX_LISTED_INDEXES = 10;

/** The index that a call is about: the one it names, the one that covers its path or current folder, or the only one. */
export async function chooseIndex(
  ctx: DiskContext,
  indexId: string | undefined,
  path: string | undefined,
): Promise<OpenIndex> {
  const { indexes } = ctx.disk;
  if (indexId !== undefined) {
    const open = await indexes.open(indexId);
    if (!mayReadSome(open.row, ctx.roots))
      fail(
        'path_not_allowed',
        `${indexId} is outside the folders that may be read here. To allow it, a person runs: pinhole allow PATH`,
      );
    return open;
  }
  if (path !== undefined && !/^n[0-9a-z]{1,7}$/.test(path)) {
    const place = await ctx.roots.resolve(path);
    const open = await indexes.covering(place);
    return (
      open ?? fail('index_not_found', `No index covers '${place}'.`, { next: callIndex({ root: place }) })
    );
  }
  const place = await folderOf(ctx);
  const around = place === undefined ? undefined : await indexes.covering(place);
  if (around !== undefined && mayReadSome(around.row, ctx.roots)) return around;
  const known = (await indexes.list()).filter((row) => mayReadSome(row, ctx.roots));
  const visible = known.filter((row) => row.generation > 0);
  const [only] = visible;
  // An index of this place that is still being built is preferred to one of another place: opening it says so.
  const unfinished = known.findLast(
    (row) =>
      row.generation === 0 && (only === undefined || (place !== undefined && isInside(place, row.root))),
  );
  if (unfinished !== undefined) return indexes.open(indexHandle(unfinished.id));
  if (only === undefined)
    fail('index_not_found', 'Nothing is indexed yet.', { next: callIndex({ root: place ?? '.' }) });
  if (visible.length > 1) {
    const listed = visible
      .slice(0, MAX_LISTED_INDEXES)
      .map(({ id, root }) => ({ index_id: indexHandle(id), root }));
    const names = listed.map(({ index_id }) => index_id).join(', ');
    fail(
      'invalid_parameter',
      inputMessage`There are several indexes (${names}). Choose one with ${{ input: 'index_id' }}.`,
      {
        next: callDiskIndexes({}),
        details: { indexes: listed },
      },
    );
  }
  return indexes.open(indexHandle(only.id));
}

/** The folder that the caller is in. */
async function folderOf({ shells, caller }: DiskContext): Promise<string | undefined> {
  return (await shells.ofCaller(caller.id))?.cwd ?? caller.cwd;
}

/** What is asked about where neither an index nor a folder is named: at a terminal, the folder that the person is in. */
export async function namedOrCurrent(
  ctx: DiskContext,
  { index_id, under }: { readonly index_id?: string | undefined; readonly under?: string | undefined },
): Promise<string | undefined> {
  return index_id === undefined && ctx.caller.door === 'cli' ? (under ?? (await folderOf(ctx))) : under;
}
