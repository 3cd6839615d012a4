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
  const listed = files.paths.below(path).filter((number) => files.isListed(number));
  return {
    files: [...own, ...listed.map((number) => files.paths.path(number)).filter(isGone)],
    folders: [...folders].filter((each) => (each === path || each.startsWith(below)) && isGone(each)),
  };
}
