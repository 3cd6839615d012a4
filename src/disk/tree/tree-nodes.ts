import { uint8At, uint32At } from '../../contract/at.ts';
import { isDir } from '../scan/node-kinds.ts';
import { rawText, systemPath } from '../scan/raw-text.ts';
import type { Tree } from './tree-columns.ts';

/** In the column `blocks`: the number does not fit, and `big` has it. */
export const TOO_MANY_BLOCKS = 0xffffffff;

/** Allocated bytes of the node itself. */
export function diskOf(tree: Tree, row: number): number {
  const blocks = uint32At(tree.blocks, row);
  return 512 * (blocks === TOO_MANY_BLOCKS ? (tree.big.get(row) ?? blocks) : blocks);
}

/** The node's own name; bytes that are not UTF-8 are replaced. */
export function nameOf(tree: Tree, row: number): string {
  return tree.names.toString('utf8', tree.nameAt[row], tree.nameAt[row + 1]);
}

/** The node's own name as raw text, see scan/raw-text.ts. */
export function rawNameOf(tree: Tree, row: number): string {
  const name = nameOf(tree, row);
  // Almost all names are valid text, which needs no copy of the bytes.
  return name.includes('\ufffd')
    ? rawText(tree.names.subarray(tree.nameAt[row], tree.nameAt[row + 1]))
    : name;
}

/** The number of the folder in this row, or -1 when the row is not a folder. */
export function folderAt(tree: Tree, row: number): number {
  return isDir(uint8At(tree.kind, row)) ? indexOfSorted(tree.dirRow, row) : -1;
}

/** The folder at a row, or that of a file. */
export function folderAround(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? uint32At(tree.parent, row) : folder;
}

/** The folder's own node id. */
export function folderId(tree: Tree, folder: number): number {
  return uint32At(tree.id, uint32At(tree.dirRow, folder));
}

/** The number of the folder that contains a folder; the root contains itself. */
export function parentFolder({ parent, dirRow }: Pick<Tree, 'parent' | 'dirRow'>, folder: number): number {
  return uint32At(parent, uint32At(dirRow, folder));
}

/** The row of the folder that contains a row. */
export function parentRow(tree: Tree, row: number): number {
  return uint32At(tree.dirRow, uint32At(tree.parent, row));
}

/** The last row of what is below a row: the row itself for a file. */
export function lastRow(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? row : uint32At(tree.dirLast, folder);
}

/** The position of `value` in an ascending column, or -1. */
export function indexOfSorted(column: Uint32Array, value: number): number {
  const at = lowerBound(column, value, column.length);
  return column[at] === value ? at : -1;
}

/** The first position in an ascending column whose value is not below `value`. */
export function lowerBound(column: Uint32Array, value: number, length: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (uint32At(column, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The full path of a node, for display. */
export function pathOf(tree: Tree, row: number): string {
  return joined(tree, row, nameOf);
}

/** The full path of a node as raw text, see scan/raw-text.ts: the only form that may be passed to the system. */
export function rawPathOf(tree: Tree, row: number): string {
  return joined(tree, row, rawNameOf);
}

/** The path of a node, or undefined when it is not valid text and would name another file. */
export function textPathOf(tree: Tree, row: number): string | undefined {
  const path = rawPathOf(tree, row);
  return systemPath(path) === path ? path : undefined;
}

function joined(tree: Tree, row: number, name: (tree: Tree, row: number) => string): string {
  const parts: string[] = [];
  let at = row;
  while (at !== 0) {
    parts.push(name(tree, at));
    at = parentRow(tree, at);
  }
  const root = tree.meta.root;
  if (parts.length === 0) return root;
  return `${root === '/' ? '' : root}/${parts.reverse().join('/')}`;
}

/** How many levels a node is below the root. */
export function depthOf(tree: Tree, row: number): number {
  let depth = 0;
  for (let at = row; at !== 0; depth++) at = parentRow(tree, at);
  return depth;
}

/** The row of a node id, or -1. Searching a million rows takes well under a millisecond. */
export function rowOfId(tree: Tree, id: number): number {
  return tree.id.indexOf(id);
}

/** The numbers of the sub-folders of a folder. */
export function* subFolders(tree: Tree, folder: number): Generator<number> {
  const end = folder + uint32At(tree.dirDirs, folder);
  for (let at = folder + 1; at <= end; at += uint32At(tree.dirDirs, at) + 1) yield at;
}

/** How many entries are directly in each folder. Nothing is known of the entries of a folder at a depth limit. */
export function entryCounts(tree: Tree): Uint32Array {
  const counts = tree.dirFiles.slice();
  for (let folder = 1; folder < counts.length; folder++) {
    const up = parentFolder(tree, folder);
    counts[up] = uint32At(counts, up) + 1;
  }
  return counts;
}

/** The rows directly in a folder: its files, then its sub-folders. */
export function* childRows(tree: Tree, folder: number): Generator<number> {
  const row = uint32At(tree.dirRow, folder);
  const files = uint32At(tree.dirFiles, folder);
  for (let i = row + 1; i <= row + files; i++) yield i;
  for (const sub of subFolders(tree, folder)) yield uint32At(tree.dirRow, sub);
}

/** The row of the child with this name, or -1. */
export function childByName(tree: Tree, folder: number, name: string): number {
  const wanted = Buffer.from(name);
  for (const row of childRows(tree, folder)) {
    const start = uint32At(tree.nameAt, row);
    const end = uint32At(tree.nameAt, row + 1);
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
