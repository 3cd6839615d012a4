import { fail } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import type { Shells } from '../browse/shells.ts';
import type { Disk } from '../disk.ts';
import { indexHandle } from '../handles.ts';
import { mayReadSome } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';

/** What the operations of this subject are given. */
export interface DiskServices {
  readonly disk: Disk;
  readonly shells: Shells;
}

/** An answer over MCP at the default number of rows is a glance: a few kilobytes, however long names are. */
const GLANCE_BYTES = 2_500;

/** The bytes of a glance, unless the caller wants more rows than usual or is no model. */
export function glance({ caller, limit }: CallContext, usual?: number): number | undefined {
  return caller.door === 'mcp' && (usual === undefined || limit <= usual) ? GLANCE_BYTES : undefined;
}

export type DiskContext = CallContext & DiskServices;

/** The index that a call means: the one it names, the one around its path or its current folder, or the only one. */
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
        `${indexId} lies outside the folders that may be read here. A person runs: pinhole allow PATH`,
      );
    return open;
  }
  if (path !== undefined && !/^n[0-9a-z]{1,7}$/.test(path)) {
    const place = await ctx.roots.resolve(path);
    const open = await indexes.covering(place);
    return open ?? fail('index_not_found', `No index covers '${place}'; index root='${place}' makes one.`);
  }
  const shell = await ctx.shells.ofCaller(ctx.caller.id);
  const place = shell?.cwd ?? ctx.caller.cwd;
  const around = place === undefined ? undefined : await indexes.covering(place);
  if (around !== undefined && mayReadSome(around.row, ctx.roots)) return around;
  const known = (await indexes.list()).filter((row) => mayReadSome(row, ctx.roots));
  const visible = known.filter((row) => row.generation > 0);
  const [only] = visible;
  // One that is being made here is meant rather than one of another place: opening it tells how it stands.
  const begun = known.findLast(
    (row) =>
      row.generation === 0 && (only === undefined || (place !== undefined && isInside(place, row.root))),
  );
  if (begun !== undefined) return indexes.open(indexHandle(begun.id));
  if (only === undefined) fail('index_not_found', 'There is no index yet; index root=… makes one.');
  if (visible.length > 1) {
    const indexes = visible.slice(0, 10).map(({ id, root }) => ({ index_id: indexHandle(id), root }));
    const names = indexes.map(({ index_id }) => index_id).join(', ');
    fail('invalid_parameter', `index_id is needed: there are several indexes (${names}).`, {
      details: { indexes },
    });
  }
  return indexes.open(indexHandle(only.id));
}
