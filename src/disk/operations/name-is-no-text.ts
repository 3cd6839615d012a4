import { fail, PinholeError } from '../../contract/errors.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { childRows, folderAt, nameOf } from '../tree/tree-nodes.ts';

/** What is shown in place of a byte that is no text. */
const NO_TEXT = '\ufffd';

/** Says what leads to a folder whose name cannot be written; rethrows every other error. */
export async function nameIsNoText(error: unknown, path: string, disk: Disk): Promise<never> {
  if (!(error instanceof PinholeError) || error.code !== 'not_found' || !path.includes(NO_TEXT)) throw error;
  const open = await disk.indexes.covering(path);
  const row = open === undefined ? -1 : rowShownAs(open.tree, path);
  const index = open && indexHandle(open.row.id);
  const node = open && row >= 0 ? nodeHandle(open.tree.id[row] ?? 0) : undefined;
  fail(
    'not_found',
    node === undefined
      ? 'A name in this path holds bytes that are no text, so the path does not lead there; index the folder and use node ids.'
      : `A name in this path holds bytes that are no text, so it leads there by its id only: inspect node_id=${node} index_id=${index}, and its links.children.`,
  );
}

/** The row whose path is shown like this, or -1. Several may be shown alike: the first is meant. */
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
