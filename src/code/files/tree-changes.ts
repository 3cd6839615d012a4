import { type SourceFile, type SourceTree, sameFile, type TreeChange } from './source-tree.ts';

type Files = ReadonlyMap<string, SourceFile>;

/** The files of a tree that are new, changed or deleted since it was last read. */
export function changesBetween(before: Files, now: Files): TreeChange {
  const changed = [...now.values()].filter((file) => {
    const known = before.get(file.path);
    return known === undefined || !sameFile(known, file);
  });
  return { changed, removed: [...before.keys()].filter((path) => !now.has(path)) };
}

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
