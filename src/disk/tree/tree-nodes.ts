import { isDir } from '../scan/node-kinds.ts';
import { rawText, systemPath } from '../scan/raw-text.ts';
import type { Tree } from './disk-tree.ts';

/** The value in the column of blocks that says: look into `big`. */
export const BIG = 0xffffffff;

/** Allocated bytes of the node itself. */
export function diskOf(tree: Tree, row: number): number {
  const blocks = tree.blocks[row] ?? 0;
  return 512 * (blocks === BIG ? (tree.big.get(row) ?? blocks) : blocks);
}

/** The node's own name; characters that are no UTF-8 are replaced. */
export function nameOf(tree: Tree, row: number): string {
  return tree.names.toString('utf8', tree.nameAt[row], tree.nameAt[row + 1]);
}

/** The same as raw text, see scan/raw-text.ts. */
export function rawNameOf(tree: Tree, row: number): string {
  const name = nameOf(tree, row);
  // Almost all names are text, and need no copy of their bytes.
  return name.includes('\ufffd')
    ? rawText(tree.names.subarray(tree.nameAt[row], tree.nameAt[row + 1]))
    : name;
}

/** The number of the folder in this row, or -1 when the row is no folder. */
export function folderAt(tree: Tree, row: number): number {
  return isDir(tree.kind[row] ?? 0) ? indexOfSorted(tree.dirRow, row) : -1;
}

/** Where `value` lies in an ascending column, or -1. */
export function indexOfSorted(column: Uint32Array, value: number): number {
  const at = lowerBound(column, value, column.length);
  return column[at] === value ? at : -1;
}

/** The first place in an ascending column whose value is not below `value`. */
export function lowerBound(column: Uint32Array, value: number, length: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The whole path of a node, as it is shown. */
export function pathOf(tree: Tree, row: number): string {
  return joined(tree, row, nameOf);
}

/** The whole path of a node as raw text, see scan/raw-text.ts: the only form in which it may go to the system. */
export function rawPathOf(tree: Tree, row: number): string {
  return joined(tree, row, rawNameOf);
}

/** The path of a node where it can be named in text; undefined where the text would name something else. */
export function textPathOf(tree: Tree, row: number): string | undefined {
  const path = rawPathOf(tree, row);
  return systemPath(path) === path ? path : undefined;
}

function joined(tree: Tree, row: number, name: (tree: Tree, row: number) => string): string {
  const parts: string[] = [];
  let at = row;
  while (at !== 0) {
    parts.push(name(tree, at));
    at = tree.dirRow[tree.parent[at] ?? 0] ?? 0;
  }
  const root = tree.meta.root;
  if (parts.length === 0) return root;
  return `${root === '/' ? '' : root}/${parts.reverse().join('/')}`;
}

/** How many steps a node lies below the root. */
export function depthOf(tree: Tree, row: number): number {
  let depth = 0;
  for (let at = row; at !== 0; depth++) at = tree.dirRow[tree.parent[at] ?? 0] ?? 0;
  return depth;
}

/** The row of a node id, or -1. A pass over the column takes well under a millisecond for a million. */
export function rowOfId(tree: Tree, id: number): number {
  return tree.id.indexOf(id);
}

/** The sub-folders of a folder by number. */
export function* subFolders(tree: Tree, folder: number): Generator<number> {
  const end = folder + (tree.dirDirs[folder] ?? 0);
  for (let at = folder + 1; at <= end; at += (tree.dirDirs[at] ?? 0) + 1) yield at;
}

/** The rows that lie directly in a folder: its files, then its folders. */
export function* childRows(tree: Tree, folder: number): Generator<number> {
  const row = tree.dirRow[folder] ?? 0;
  const files = tree.dirFiles[folder] ?? 0;
  for (let i = row + 1; i <= row + files; i++) yield i;
  for (const sub of subFolders(tree, folder)) yield tree.dirRow[sub] ?? 0;
}

/** The row of the child with this name, or -1. */
export function childByName(tree: Tree, folder: number, name: string): number {
  const wanted = Buffer.from(name);
  for (const row of childRows(tree, folder)) {
    const start = tree.nameAt[row] ?? 0;
    const end = tree.nameAt[row + 1] ?? 0;
    if (end - start === wanted.length && tree.names.compare(wanted, 0, wanted.length, start, end) === 0)
      return row;
  }
  return -1;
}

/** The row of an absolute, normalised path, or -1 when it is not in the index. */
export function rowOfPath(tree: Tree, path: string): number {
  const { root } = tree.meta;
  if (path === root) return 0;
  const prefix = root === '/' ? '/' : `${root}/`;
  if (!path.startsWith(prefix)) return -1;
  let folder = 0;
  let row = 0;
  for (const name of path.slice(prefix.length).split('/')) {
    if (folder < 0) return -1;
    row = childByName(tree, folder, name);
    if (row < 0) return -1;
    folder = folderAt(tree, row);
  }
  return row;
}
