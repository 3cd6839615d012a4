import { uint32At } from '../../contract/at.ts';
import { isDir } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import type { Tree } from './tree-columns.ts';
import { folderAt, rawNameOf } from './tree-nodes.ts';

/** The number of the folder in a row, or -1. Rows in ascending order need no search. */
export function folderNumbers(tree: Tree): (row: number) => number {
  let next = 0;
  return (row) => {
    // For every row of hot loops: the default makes a row outside the tree a file, whose size the caller cannot read.
    if (!isDir(tree.kind[row] ?? 0)) return -1;
    const at = tree.dirRow[next] === row ? next : folderAt(tree, row);
    next = at + 1;
    return at;
  };
}

/** Paths of folders as raw text. Folders in ascending order cost one join each. */
export function folderPaths(tree: Tree): (folder: number) => string {
  const { parent, dirRow, meta } = tree;
  interface Known {
    readonly folder: number;
    readonly path: string;
  }
  const root: Known = { folder: 0, path: meta.root };
  /** The last folder with a known path, and the folders around it; the root is never removed. */
  const trail: Known[] = [];
  const nearest = (folder: number): Known => {
    let last = trail.at(-1) ?? root;
    while (last.folder > folder) {
      trail.pop();
      last = trail.at(-1) ?? root;
    }
    return last;
  };
  const pathOfFolder = (folder: number): string => {
    const last = nearest(folder);
    if (last.folder === folder) return last.path;
    const row = uint32At(dirRow, folder);
    const above = uint32At(parent, row);
    const around = nearest(above);
    const base = around.folder === above ? around.path : pathOfFolder(above);
    const path = `${base === '/' ? '' : base}/${rawNameOf(tree, row)}`;
    trail.push({ folder, path });
    return path;
  };
  return pathOfFolder;
}

/** The path of a file for the system, from the path of its folder as raw text. */
export function filePath(tree: Tree, row: number, folder: string): string | Buffer {
  return systemPath(`${folder}/${rawNameOf(tree, row)}`);
}
