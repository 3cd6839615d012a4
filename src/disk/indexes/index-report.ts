import { relative } from 'node:path';
import { float64At, uint32At } from '../../contract/at.ts';
import type { JobReport } from '../../jobs/jobs.ts';
import type { Progress } from '../../jobs/progress.ts';
import type { FolderChanges } from '../reports/folder-changes.ts';
import { capped, sharedSize, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { nameOf, subFolders } from '../tree/tree-nodes.ts';
import type { IndexRow } from './index-rows.ts';
import type { IndexingResult } from './run-indexing.ts';

const TOP_FOLDERS = 5;

/** The result of the job that made a generation: totals, the largest folders, and what could not be read. */
export function indexReport(
  indexId: string,
  tree: Tree,
  scan: IndexingResult & { readonly changes: FolderChanges },
): JobReport {
  const { meta, dirDisk, dirSize, dirAllFiles, dirDirs, dirRow, dirErrors } = tree;
  const folders = [...subFolders(tree, 0)].sort((a, b) => float64At(dirSize, b) - float64At(dirSize, a));
  const top = folders.slice(0, TOP_FOLDERS).map((folder) => ({
    name: nameOf(tree, uint32At(dirRow, folder)),
    size: float64At(dirSize, folder),
  }));
  const files = uint32At(tree.dirFiles, 0);
  const others = sumSizes(folders.slice(TOP_FOLDERS), (folder) => float64At(dirSize, folder));
  // The folder itself and the files in it.
  const own = sumSizes(Array(files + 1).keys(), (row) => float64At(tree.size, row));
  const rest = capped(others + own);
  const shared = sharedSize(rest + sumSizes(top, ({ size }) => size), float64At(dirSize, 0));
  return {
    index_id: indexId,
    generation: meta.generation,
    files: uint32At(dirAllFiles, 0),
    dirs: uint32At(dirDirs, 0),
    size: float64At(dirSize, 0),
    disk_size: float64At(dirDisk, 0),
    top,
    // The top and the rest, minus what hard links share, add up to the whole.
    rest: { entries: folders.length - top.length + files, size: rest },
    ...(shared === undefined ? {} : { shared }),
    ...(scan.foldersRead === undefined ? {} : { changed: scan.changed, folders_read: scan.foldersRead }),
    ...(scan.changes.since === undefined ? {} : { growth: growthOf(tree, scan.changes) }),
    ...(scan.filesUnchecked > 0 ? { files_not_rechecked: scan.filesUnchecked } : {}),
    ...(uint32At(dirErrors, 0) > 0
      ? { errors: meta.errors, error_samples: meta.errorSamples.slice(0, 3) }
      : {}),
  };
}

/** What changed since the last scan that somebody asked for: in all, and in the folders that changed most. */
function growthOf(tree: Tree, { since = 0, total, folders }: FolderChanges) {
  return {
    since: new Date(since).toISOString(),
    ...total,
    folders: folders
      .slice(0, TOP_FOLDERS)
      .map((one) => ({ ...one, path: relative(tree.meta.root, one.path) })),
    ...(folders.length > TOP_FOLDERS ? { more_folders: folders.length - TOP_FOLDERS } : {}),
  };
}

/**
 * The progress of a scan, compared with the previous generation. A first scan knows its total only for a whole file
 * system: the folders seen so far say little about the others, so a share based on them would stay near 100 % for long.
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
