import { at, float64At, uint32At } from '../../contract/at.ts';
import { capped } from '../sizes.ts';
import type { CutLink } from './depth-cut.ts';
import { requireRows } from './row-spans.ts';
import type { Tree } from './tree-columns.ts';
import { diskOf } from './tree-nodes.ts';

/**
 * Adds up the totals of all folders, from the bottom. A file with several names counts once in every folder that
 * contains at least one of them, as `du` reports for that folder alone: each name is added in its own folder, and
 * where two neighbouring names (in row order) first share a folder, one of them is subtracted again.
 */
export function rollUp(tree: Tree, errors: Uint32Array, cutLinks: readonly CutLink[]): void {
  const { dirRow, dirLast, dirDisk, dirSize, dirFiles, dirAllFiles, dirDirs, dirNewest, dirErrors } = tree;
  const { parent, size, mtime } = tree;
  subtractShared(tree, cutLinks);
  const dirs = dirRow.length;
  for (let folder = dirs - 1; folder >= 0; folder--) {
    const row = uint32At(dirRow, folder);
    const files = uint32At(dirFiles, folder);
    let disk = 0;
    let bytes = 0;
    let newest = uint32At(dirNewest, folder);
    requireRows(tree, { from: row, to: row + files });
    for (let i = row; i <= row + files; i++) {
      disk += diskOf(tree, i);
      bytes += size[i] ?? 0;
      const time = mtime[i] ?? 0;
      if (time > newest) newest = time;
    }
    const allDisk = capped(float64At(dirDisk, folder) + disk);
    const allBytes = capped(float64At(dirSize, folder) + bytes);
    const allFiles = uint32At(dirAllFiles, folder) + files;
    const allErrors = uint32At(dirErrors, folder) + uint32At(errors, folder);
    const below = uint32At(dirDirs, folder);
    dirDisk[folder] = allDisk;
    dirSize[folder] = allBytes;
    dirAllFiles[folder] = allFiles;
    dirErrors[folder] = allErrors;
    dirNewest[folder] = newest;
    const next = folder + below + 1;
    dirLast[folder] = (next < dirs ? uint32At(dirRow, next) : tree.id.length) - 1;
    if (folder === 0) continue;
    const up = uint32At(parent, row);
    dirDisk[up] = float64At(dirDisk, up) + allDisk;
    dirSize[up] = float64At(dirSize, up) + allBytes;
    dirAllFiles[up] = uint32At(dirAllFiles, up) + allFiles;
    dirDirs[up] = uint32At(dirDirs, up) + below + 1;
    dirErrors[up] = uint32At(dirErrors, up) + allErrors;
    if (newest > uint32At(dirNewest, up)) dirNewest[up] = newest;
  }
}

function subtractShared(tree: Tree, cutLinks: readonly CutLink[]): void {
  const { linkRow, linkKey, dirDisk, dirSize, parent } = tree;
  const kept = linkRow.length;
  const cut = (name: number) => cutLinks[name - kept];
  const keys = Float64Array.from([...linkKey, ...cutLinks.map(({ key }) => key)]);
  const folders = keys.map((_, name) => cut(name)?.folder ?? uint32At(parent, uint32At(linkRow, name)));
  // Folders are numbered in the order of their rows, and so are the files in them.
  const order = Array.from(keys.keys()).sort(
    (a, b) => float64At(keys, a) - float64At(keys, b) || float64At(folders, a) - float64At(folders, b),
  );
  for (let i = 1; i < order.length; i++) {
    const one = at(order, i - 1);
    const two = at(order, i);
    if (keys[one] !== keys[two]) continue;
    const folder = folderAround(tree, float64At(folders, one), float64At(folders, two));
    const bytes = cut(two) ?? linkBytes(tree, two);
    dirDisk[folder] = float64At(dirDisk, folder) - bytes.disk;
    dirSize[folder] = float64At(dirSize, folder) - bytes.size;
  }
}

function linkBytes(tree: Tree, link: number): { readonly size: number; readonly disk: number } {
  const row = uint32At(tree.linkRow, link);
  return { size: float64At(tree.size, row), disk: diskOf(tree, row) };
}

/** The deepest folder that contains both folders, or is one of them. */
function folderAround({ parent, dirRow }: Pick<Tree, 'parent' | 'dirRow'>, one: number, two: number): number {
  let a = one;
  let b = two;
  // A folder has a higher number than every folder that contains it.
  while (a !== b) {
    if (a > b) a = uint32At(parent, uint32At(dirRow, a));
    else b = uint32At(parent, uint32At(dirRow, b));
  }
  return a;
}
