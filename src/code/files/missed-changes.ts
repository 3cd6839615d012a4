import type { SourceFiles } from './source-tree.ts';
import type { Sweep } from './sweep-tree.ts';
import type { TreeWatch } from './watch-folders.ts';

/** Paths where a check of all files found something that the tree does not know, because no watch reported it. */
export function* missedChanges(
  { paths }: Pick<SourceFiles, 'paths'>,
  { changed, removed, folders }: Sweep,
  watch: TreeWatch | undefined,
): Generator<string | undefined> {
  for (const { numbers } of changed) for (const number of numbers) yield paths.path(number);
  for (const number of removed) yield paths.path(number);
  for (const folder of folders) {
    if (watch?.hears(folder) === false) yield folder.path === '' ? undefined : folder.path;
  }
}
