import { fail } from '../contract/errors.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import { nodeNumber } from './handles.ts';
import { folderAt, pathOf, rowOfId, rowOfPath } from './tree/nodes.ts';
import type { Span } from './tree/selection.ts';
import type { Tree } from './tree/tree.ts';

/** The part of an index that a caller may see: all of it, or what lies under the folders it may read. */
export function visibleSpan(tree: Tree, roots: Roots): Span {
  const { root } = tree.meta;
  if (roots.folders.some((folder) => isInside(root, folder))) return { from: 0, to: tree.meta.nodes - 1 };
  const below = roots.folders
    .filter((folder) => isInside(folder, root))
    .map((folder) => spanOfPath(tree, folder));
  const known = below.filter((span) => span !== undefined);
  const [only] = known;
  if (only === undefined) {
    fail(
      'path_not_allowed',
      'This index lies outside the folders that may be read here. A person runs: pinhole allow PATH',
    );
  }
  if (known.length > 1) {
    fail('invalid_parameter', 'under is needed here: only parts of this index may be read.', {
      folders: roots.folders.filter((folder) => isInside(folder, root)).slice(0, 5),
    });
  }
  return only;
}

function spanOfPath(tree: Tree, path: string): Span | undefined {
  const row = rowOfPath(tree, path);
  return row < 0 ? undefined : spanOfRow(tree, row);
}

/** A row with everything below it. */
export function spanOfRow(tree: Tree, row: number): Span {
  const folder = folderAt(tree, row);
  return { from: row, to: folder < 0 ? row : (tree.dirLast[folder] ?? row) };
}

/** The row of a node id that the caller may see. */
export function visibleRow(tree: Tree, handle: string, roots: Roots): number {
  const row = rowOfId(tree, nodeNumber(handle));
  if (row < 0) {
    fail(
      'node_not_found',
      `${handle.slice(0, 20)} is not in this index; it is gone since, or of another index.`,
    );
  }
  const path = pathOf(tree, row);
  if (!roots.folders.some((folder) => isInside(path, folder))) {
    fail(
      'path_not_allowed',
      `${handle} lies outside the folders that may be read here. A person runs: pinhole allow PATH`,
    );
  }
  return row;
}

/** What `under` names (a node id or a path), or all that the caller may see. */
export async function scopeSpan(tree: Tree, under: string | undefined, roots: Roots): Promise<Span> {
  if (under === undefined) return visibleSpan(tree, roots);
  if (/^n[0-9a-z]{1,7}$/.test(under)) return spanOfRow(tree, visibleRow(tree, under, roots));
  const path = await roots.resolve(under);
  const span = spanOfPath(tree, path);
  return (
    span ?? fail('node_not_found', `'${path}' is not in this index (${tree.meta.root}); index it again.`)
  );
}
