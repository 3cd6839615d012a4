import { fail } from '../../contract/errors.ts';
import { absolutePath, isInside, type Roots } from '../../contract/roots.ts';
import { nodeNumber } from '../handles.ts';
import type { ScanOptions, Tree } from '../tree/disk-tree.ts';
import type { Span } from '../tree/row-spans.ts';
import { folderAt, pathOf, rowOfId, rowOfPath } from '../tree/tree-nodes.ts';

const ALLOW = 'A person runs: pinhole allow PATH';

/** True when a caller may read all that lies at or below a path. */
export function mayRead(path: string, { folders }: Roots): boolean {
  return folders.some((folder) => isInside(path, folder));
}

/** What tells whose an index is: its row, or the facts in its tree. */
interface Rooted {
  readonly root: string;
  readonly options: ScanOptions;
}

/** True when a caller may read all of an index. What was imported is no folder here: it is for people only. */
export function mayReadIndex({ root, options }: Rooted, roots: Roots): boolean {
  return options.imported === true ? roots.person : mayRead(root, roots);
}

/** True when a caller may read an index, or at least a part of it. */
export function mayReadSome(index: Rooted, roots: Roots): boolean {
  if (mayReadIndex(index, roots)) return true;
  return index.options.imported !== true && roots.folders.some((folder) => isInside(folder, index.root));
}

/** Refuses what would look at files, where the index is of another machine. */
export function requireLocal({ meta }: Tree): void {
  if (meta.options.imported === true)
    fail('path_not_allowed', 'This index was imported: its files are not here, only their names and sizes.');
}

/** The parts of an index that a caller may see: all of it, or what lies under the folders it may read. */
export function visibleSpans(tree: Tree, roots: Roots): Span[] {
  const { root, nodes } = tree.meta;
  if (mayReadIndex(tree.meta, roots)) return [{ from: 0, to: nodes - 1 }];
  if (!mayReadSome(tree.meta, roots)) return [];
  return roots.folders
    .filter((folder) => isInside(folder, root))
    .flatMap((folder) => spanOfPath(tree, folder) ?? []);
}

/** The one part of an index that a caller may see. */
export function visibleSpan(tree: Tree, roots: Roots): Span {
  const [only, ...others] = visibleSpans(tree, roots);
  if (only === undefined)
    fail('path_not_allowed', `This index lies outside the folders that may be read here. ${ALLOW}`);
  if (others.length > 0) {
    fail('invalid_parameter', 'under is needed here: only parts of this index may be read.', {
      details: {
        folders: roots.folders.filter((folder) => isInside(folder, tree.meta.root)).slice(0, 5),
      },
    });
  }
  return only;
}

/** Refuses a caller who may see only a part of an index. */
export function requireWhole({ meta }: Tree, roots: Roots): void {
  if (!mayReadIndex(meta, roots))
    fail(
      'path_not_allowed',
      `Only a part of this index may be read here, and this needs all of it. ${ALLOW}`,
    );
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
  const { imported } = tree.meta.options;
  if (imported === true ? !roots.person : !mayRead(pathOf(tree, row), roots))
    fail('path_not_allowed', `${handle} lies outside the folders that may be read here. ${ALLOW}`);
  return row;
}

/** What `under` names (a node id or a path), or all that the caller may see. */
export async function scopeSpan(tree: Tree, under: string | undefined, roots: Roots): Promise<Span> {
  if (under === undefined) return visibleSpan(tree, roots);
  if (/^n[0-9a-z]{1,7}$/.test(under)) return spanOfRow(tree, visibleRow(tree, under, roots));
  const path =
    tree.meta.options.imported === true ? absolutePath(under, undefined) : await roots.resolve(under);
  const span = spanOfPath(tree, path);
  return (
    span ?? fail('node_not_found', `'${path}' is not in this index (${tree.meta.root}); index it again.`)
  );
}
