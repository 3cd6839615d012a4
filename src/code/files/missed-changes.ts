import { type SourceTree, sameFile } from './source-tree.ts';
import type { Sweep } from './sweep-tree.ts';
import type { TreeWatch } from './watch-folders.ts';

/** Paths where a check of all files found something that the tree does not know, because no watch reported it. */
export function* missedChanges(
  tree: Pick<SourceTree, 'files' | 'folders'>,
  found: Sweep,
  watch: TreeWatch | undefined,
): Generator<string | undefined> {
  for (const [path, file] of found.files) {
    const known = tree.files.get(path);
    if (known === undefined || !sameFile(known, file)) yield path;
  }
  for (const path of tree.files.keys()) if (!found.files.has(path)) yield path;
  for (const folder of found.folders) {
    if (watch?.hears(folder) === false) yield folder.path === '' ? undefined : folder.path;
  }
}
