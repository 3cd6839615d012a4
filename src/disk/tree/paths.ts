import { nameOf } from './nodes.ts';
import type { Tree } from './tree.ts';

/** Paths of folders; asking in ascending order costs one join each. */
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
    const path = `${base === '/' ? '' : base}/${nameOf(tree, row)}`;
    trail.push({ folder, path });
    return path;
  };
  return walk;
}
