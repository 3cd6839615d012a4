import { float64At, uint32At } from '../../contract/at.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { nameOf, subFolders } from '../tree/tree-nodes.ts';

/** A folder that differs between two trees, by its path below their roots. */
export interface Difference {
  readonly path: string;
  /** Allocated bytes; undefined where there is no such folder. */
  readonly one: number | undefined;
  readonly other: number | undefined;
  readonly difference: number;
}

/** Folders whose totals differ, largest difference first; equal parts are not entered. */
export function compareTrees(one: Tree, other: Tree, most: number): Difference[] {
  const found: Difference[] = [];
  const pairs: { path: string; a: number; b: number }[] = [{ path: '', a: 0, b: 0 }];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { path, a, b } = pair;
    const sizeA = a < 0 ? undefined : float64At(one.dirDisk, a);
    const sizeB = b < 0 ? undefined : float64At(other.dirDisk, b);
    if (sizeA === sizeB) continue;
    found.push({
      path: path === '' ? '.' : path,
      one: sizeA,
      other: sizeB,
      difference: (sizeB ?? 0) - (sizeA ?? 0),
    });
    if (a < 0 || b < 0) continue;
    const inB = new Map(Array.from(subFolders(other, b), (folder) => [folderName(other, folder), folder]));
    for (const folder of subFolders(one, a)) {
      const name = folderName(one, folder);
      pairs.push({ path: below(path, name), a: folder, b: inB.get(name) ?? -1 });
      inB.delete(name);
    }
    for (const [name, folder] of inB) pairs.push({ path: below(path, name), a: -1, b: folder });
  }
  return found
    .sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference) || (x.path < y.path ? -1 : 1))
    .slice(0, most);
}

function folderName(tree: Tree, folder: number): string {
  return nameOf(tree, uint32At(tree.dirRow, folder));
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
