import { float64At, uint32At } from '../../contract/at.ts';
import type { JobReport } from '../../jobs/jobs.ts';
import type { Progress } from '../../jobs/progress.ts';
import { capped, sharedSize, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, nameOf, subFolders } from '../tree/tree-nodes.ts';
import type { IndexRow } from './index-rows.ts';

const TOP_FOLDERS = 5;

/** What the job that made a generation says in the end: totals, the largest folders, what could not be seen. */
export function indexReport(
  indexId: string,
  tree: Tree,
  scan: { changed: boolean; foldersRead: number | undefined; filesUnchecked: number },
): JobReport {
  const { meta, dirDisk, dirSize, dirAllFiles, dirDirs, dirRow, dirErrors } = tree;
  const folders = [...subFolders(tree, 0)].sort((a, b) => float64At(dirDisk, b) - float64At(dirDisk, a));
  const top = folders.slice(0, TOP_FOLDERS).map((folder) => ({
    name: nameOf(tree, uint32At(dirRow, folder)),
    disk_size: float64At(dirDisk, folder),
  }));
  const files = uint32At(tree.dirFiles, 0);
  const others = sumSizes(folders.slice(TOP_FOLDERS), (folder) => float64At(dirDisk, folder));
  // The folder itself and the files in it.
  const own = sumSizes(Array(files + 1).keys(), (row) => diskOf(tree, row));
  const rest = capped(others + own);
  const shared = sharedSize(rest + sumSizes(top, ({ disk_size }) => disk_size), float64At(dirDisk, 0));
  return {
    index_id: indexId,
    generation: meta.generation,
    files: uint32At(dirAllFiles, 0),
    dirs: uint32At(dirDirs, 0),
    size: float64At(dirSize, 0),
    disk_size: float64At(dirDisk, 0),
    top,
    // The top and the rest, less what is shared by hard links, are the whole.
    rest: { entries: folders.length - top.length + files, disk_size: rest },
    ...(shared === undefined ? {} : { shared }),
    ...(scan.foldersRead === undefined ? {} : { changed: scan.changed, folders_read: scan.foldersRead }),
    ...(scan.filesUnchecked > 0 ? { files_not_rechecked: scan.filesUnchecked } : {}),
    ...(uint32At(dirErrors, 0) > 0
      ? { errors: meta.errors, error_samples: meta.errorSamples.slice(0, 3) }
      : {}),
  };
}

/**
 * How far a scan is, by what was there before. A first scan knows that only of a whole file system: the folders
 * it has met so far say little of those it has not, so that a share made of them would stand near its end for long.
 */
export function progressOf(
  row: Pick<IndexRow, 'generation' | 'files' | 'dirs'>,
  entries: number,
  onFileSystem: number | undefined,
): Progress {
  const expected = row.generation > 0 ? row.files + row.dirs : onFileSystem;
  const total = expected === undefined ? undefined : Math.max(expected, entries);
  return { done: entries, total, unit: 'entries', phase: 'scanning' };
}
