/** Folders that a search in `searched` does not look into, at least not as a whole. */
export function unsearched(allowed: readonly string[], searched: readonly string[]): readonly string[] {
  return outermost(allowed).filter((folder) => !searched.some((root) => `${folder}/`.startsWith(`${root}/`)));
}

/** Folders that are not inside another one of the list. */
export function outermost(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}
