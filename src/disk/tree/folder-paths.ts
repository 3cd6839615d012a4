import { isDir } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import type { Tree } from './disk-tree.ts';
import { folderAt, rawNameOf } from './tree-nodes.ts';

/** The number of the folder in a row, or -1; rows asked for in ascending order need no search. */
export function folderNumbers(tree: Tree): (row: number) => number {
  let next = 0;
  return (row) => {
    if (!isDir(tree.kind[row] ?? 0)) return -1;
    const at = tree.dirRow[next] === row ? next : folderAt(tree, row);
    next = at + 1;
    return at;
  };
}

/** Paths of folders as raw text; asking in ascending order costs one join each. */
export function folderPaths(tree: Tree): (folder: number) => string {
  const { parent, dirRow, meta } = tree;
  const trail: { folder: number; path: string }[] = [{ folder: 0, path: meta.root }];
  const walk = (folder: number): string => {
    if (folder === 0) return meta.root;
    while ((trail.at(-1)?.folder ?? 0) > folder) trail.pop();
    const last = trail.at(-1);
    if (last?.folder === folder) return last.path;
    const row = dirRow[folder] ?? 0;
    const above = parent[row] ?? 0;
    while ((trail.at(-1)?.folder ?? 0) > above) trail.pop();
    const top = trail.at(-1);
    const base = top?.folder === above ? top.path : walk(above);
    const path = `${base === '/' ? '' : base}/${rawNameOf(tree, row)}`;
    trail.push({ folder, path });
    return path;
  };
  return walk;
}

/** The path of a file in a folder given as raw text, as the system takes it. */
export function filePath(tree: Tree, row: number, folder: string): string | Buffer {
  return systemPath(`${folder}/${rawNameOf(tree, row)}`);
}
