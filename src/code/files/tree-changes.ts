import type { SourceTree } from './source-tree.ts';

/** The files and folders that were known at or below a path but not seen when it was read again. */
export function goneBelow(
  path: string,
  seen: ReadonlySet<string>,
  { files, folders }: Pick<SourceTree, 'files' | 'folders'>,
): { readonly files: readonly string[]; readonly folders: readonly string[] } {
  const isGone = (each: string): boolean => !seen.has(each);
  const own = files.has(path) && isGone(path) ? [path] : [];
  if (!folders.has(path)) return { files: own, folders: [] };
  const below = `${path}/`;
  return {
    files: [...own, ...[...files.keys()].filter((each) => each.startsWith(below) && isGone(each))],
    folders: [...folders].filter((each) => (each === path || each.startsWith(below)) && isGone(each)),
  };
}
