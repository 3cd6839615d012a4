import { fail } from '../../contract/errors.ts';
import { absolutePath, isInside, type Roots } from '../../contract/roots.ts';
import { nodeNumber } from '../handles.ts';
import type { Span } from '../tree/row-spans.ts';
import type { ScanOptions, Tree } from '../tree/tree-columns.ts';
import { lastRow, pathOf, rowOfId, rowOfPath } from '../tree/tree-nodes.ts';

const HOW_TO_ALLOW = 'To allow it, a person runs: pinhole allow PATH';

/** True if a caller may read a path and everything below it. */
export function mayRead(path: string, { folders }: Roots): boolean {
  return folders.some((folder) => isInside(path, folder));
}

/** What decides who may read an index: its row, or the facts in its tree. */
interface Rooted {
  readonly root: string;
  readonly options: ScanOptions;
}

/** True if a caller may read all of an index. An imported index has no folder on this machine: only people see it. */
export function mayReadIndex({ root, options }: Rooted, roots: Roots): boolean {
  return options.imported === true ? roots.person : mayRead(root, roots);
}

/** True if a caller may read an index, or at least a part of it. */
export function mayReadSome(index: Rooted, roots: Roots): boolean {
  if (mayReadIndex(index, roots)) return true;
  return index.options.imported !== true && roots.folders.some((folder) => isInside(folder, index.root));
}

/** Refuses to read files of an imported index: they are on another machine. */
export function requireLocal({ meta }: Tree): void {
  if (meta.options.imported === true)
    fail(
      'path_not_allowed',
      'This index was imported: it has the names and sizes of files, but the files are not on this machine.',
    );
}

/** The parts of an index that a caller may see: all of it, or the folders that the caller may read. */
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
    fail('path_not_allowed', `This index is outside the folders you may read. ${HOW_TO_ALLOW}`);
  if (others.length > 0) {
    fail('invalid_parameter', 'You may read only parts of this index: set under to one of these folders.', {
      details: {
        folders: roots.folders.filter((folder) => isInside(folder, tree.meta.root)).slice(0, 5),
      },
    });
  }
  return only;
}

/** Refuses a caller who may read only a part of an index. */
export function requireWhole({ meta }: Tree, roots: Roots): void {
  if (!mayReadIndex(meta, roots))
    fail(
      'path_not_allowed',
      `You may read only a part of this index, and this needs all of it. ${HOW_TO_ALLOW}`,
    );
}

function spanOfPath(tree: Tree, path: string): Span | undefined {
  const row = rowOfPath(tree, path);
  return row < 0 ? undefined : spanOfRow(tree, row);
}

/** A row with everything below it. */
export function spanOfRow(tree: Tree, row: number): Span {
  return { from: row, to: lastRow(tree, row) };
}

/** The row of a node id that the caller may see. */
export function visibleRow(tree: Tree, handle: string, roots: Roots): number {
  const row = rowOfId(tree, nodeNumber(handle));
  if (row < 0) {
    fail(
      'node_not_found',
      `No node ${handle.slice(0, 20)} in this index: it was deleted, or it belongs to another index.`,
    );
  }
  const { imported } = tree.meta.options;
  if (imported === true ? !roots.person : !mayRead(pathOf(tree, row), roots))
    fail('path_not_allowed', `${handle} is outside the folders you may read. ${HOW_TO_ALLOW}`);
  return row;
}

/** The span of `under` (a node id or a path), or everything that the caller may see. */
export async function scopeSpan(tree: Tree, under: string | undefined, roots: Roots): Promise<Span> {
  if (under === undefined) return visibleSpan(tree, roots);
  if (/^n[0-9a-z]{1,7}$/.test(under)) return spanOfRow(tree, visibleRow(tree, under, roots));
  const path =
    tree.meta.options.imported === true ? absolutePath(under, undefined) : await roots.resolve(under);
  const span = spanOfPath(tree, path);
  return (
    span ??
    fail(
      'node_not_found',
      `'${path}' is not in this index of '${tree.meta.root}'. If it is new, index again.`,
    )
  );
}
