import { capped } from '../sizes.ts';
import type { CutLink } from './depth-cut.ts';
import type { Tree } from './disk-tree.ts';
import { diskOf } from './tree-nodes.ts';

/**
 * Sums everything upward. A file with several names counts once in every folder that holds at least one of
 * them, just as `du` of that folder alone says: each name is added where it lies, and where two neighbouring
 * names (in row order) first share a folder, one of them is taken off again.
 */
export function rollUp(tree: Tree, errors: Uint32Array, cutLinks: readonly CutLink[]): void {
  const { dirRow, dirLast, dirDisk, dirSize, dirFiles, dirAllFiles, dirDirs, dirNewest, dirErrors } = tree;
  const { parent, size, mtime } = tree;
  takeOffShared(tree, cutLinks);
  const dirs = dirRow.length;
  for (let folder = dirs - 1; folder >= 0; folder--) {
    const row = dirRow[folder] ?? 0;
    const files = dirFiles[folder] ?? 0;
    let disk = 0;
    let bytes = 0;
    let newest = dirNewest[folder] ?? 0;
    for (let i = row; i <= row + files; i++) {
      disk += diskOf(tree, i);
      bytes += size[i] ?? 0;
      const time = mtime[i] ?? 0;
      if (time > newest) newest = time;
    }
    const allDisk = capped((dirDisk[folder] ?? 0) + disk);
    const allBytes = capped((dirSize[folder] ?? 0) + bytes);
    const allFiles = (dirAllFiles[folder] ?? 0) + files;
    const allErrors = (dirErrors[folder] ?? 0) + (errors[folder] ?? 0);
    const below = dirDirs[folder] ?? 0;
    dirDisk[folder] = allDisk;
    dirSize[folder] = allBytes;
    dirAllFiles[folder] = allFiles;
    dirErrors[folder] = allErrors;
    dirNewest[folder] = newest;
    const next = folder + below + 1;
    dirLast[folder] = (next < dirs ? (dirRow[next] ?? 0) : tree.id.length) - 1;
    if (folder === 0) continue;
    const up = parent[row] ?? 0;
    dirDisk[up] = (dirDisk[up] ?? 0) + allDisk;
    dirSize[up] = (dirSize[up] ?? 0) + allBytes;
    dirAllFiles[up] = (dirAllFiles[up] ?? 0) + allFiles;
    dirDirs[up] = (dirDirs[up] ?? 0) + below + 1;
    dirErrors[up] = (dirErrors[up] ?? 0) + allErrors;
    if (newest > (dirNewest[up] ?? 0)) dirNewest[up] = newest;
  }
}

function takeOffShared(tree: Tree, cutLinks: readonly CutLink[]): void {
  const { linkRow, linkKey, dirDisk, dirSize, size, parent } = tree;
  const kept = linkRow.length;
  const cut = (name: number) => cutLinks[name - kept];
  const keys = Float64Array.from([...linkKey, ...cutLinks.map(({ key }) => key)]);
  const folders = keys.map((_, name) => cut(name)?.folder ?? parent[linkRow[name] ?? 0] ?? 0);
  // Folders are numbered in the order of their rows, and so are the files in them.
  const order = Array.from(keys.keys()).sort(
    (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || (folders[a] ?? 0) - (folders[b] ?? 0),
  );
  for (let i = 1; i < order.length; i++) {
    const one = order[i - 1] ?? 0;
    const two = order[i] ?? 0;
    if (keys[one] !== keys[two]) continue;
    const folder = folderAround(tree, folders[one] ?? 0, folders[two] ?? 0);
    const row = linkRow[two] ?? 0;
    dirDisk[folder] = (dirDisk[folder] ?? 0) - (cut(two)?.disk ?? diskOf(tree, row));
    dirSize[folder] = (dirSize[folder] ?? 0) - (cut(two)?.size ?? size[row] ?? 0);
  }
}

/** The deepest folder that holds both rows. */
export function sharedFolder({ parent, dirRow }: Tree, one: number, two: number): number {
  return folderAround({ parent, dirRow }, parent[one] ?? 0, parent[two] ?? 0);
}

/** The deepest folder that is both of them or holds both. */
function folderAround({ parent, dirRow }: Pick<Tree, 'parent' | 'dirRow'>, one: number, two: number): number {
  let a = one;
  let b = two;
  // A folder's number is higher than those of all folders around it.
  while (a !== b) {
    if (a > b) a = parent[dirRow[a] ?? 0] ?? 0;
    else b = parent[dirRow[b] ?? 0] ?? 0;
  }
  return a;
}
