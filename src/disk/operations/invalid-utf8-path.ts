import { uint32At } from '../../contract/at.ts';
import { fail, PinholeError } from '../../contract/errors.ts';
import { callIndex } from '../../jobs/calls.ts';
import { callInspect } from '../calls.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { childRows, folderAt, nameOf } from '../tree/tree-nodes.ts';

/** Shown in place of a byte that is not valid UTF-8. */
const REPLACEMENT = '\ufffd';

/** Explains how to reach a folder whose name is not valid UTF-8; throws every other error again. */
export async function failInvalidUtf8(error: unknown, path: string, disk: Disk): Promise<never> {
  if (!(error instanceof PinholeError) || error.code !== 'not_found' || !path.includes(REPLACEMENT))
    throw error;
  const open = await disk.indexes.covering(path);
  const row = open === undefined ? -1 : rowShownAs(open.tree, path);
  const problem = 'This path contains a name that is not valid UTF-8, so it cannot be opened by its path.';
  if (open === undefined || row < 0)
    fail('not_found', `${problem} Index a folder above it and use node ids.`, {
      next: callIndex({ root: path.slice(0, path.lastIndexOf('/', path.indexOf(REPLACEMENT))) || '/' }),
    });
  fail('not_found', `${problem} Use its node id; links.children lists its entries.`, {
    next: callInspect({
      node_id: nodeHandle(uint32At(open.tree.id, row)),
      index_id: indexHandle(open.row.id),
    }),
  });
}

/** The first row whose path is shown like this, or -1. Several names can look alike. */
function rowShownAs(tree: Tree, path: string): number {
  const { root } = tree.meta;
  const names = path.slice(root === '/' ? 1 : root.length + 1).split('/');
  let row = 0;
  for (const name of names) {
    const folder = folderAt(tree, row);
    row = folder < 0 ? -1 : ([...childRows(tree, folder)].find((each) => nameOf(tree, each) === name) ?? -1);
    if (row < 0) return -1;
  }
  return row;
}
