import type { JobContext } from '../../jobs/jobs.ts';
import { expectedEntries } from '../scan/expected-entries.ts';
import { hasDetails, type Tree } from '../tree/tree-columns.ts';
import { Marks } from '../watch/folder-marks.ts';
import { progressOf } from './index-report.ts';
import type { IndexRow } from './index-rows.ts';
import type { LoadedTree } from './loaded-trees.ts';
import { type IndexingResult, runIndexing } from './run-indexing.ts';

/** How long a rescan may check single files: one in the background, and one that somebody waits for. */
const FILE_CHECK_MS = 80;
const THOROUGH_CHECK_MS = 5_000;

export interface IndexToScan {
  readonly row: IndexRow;
  readonly earlier: LoadedTree | undefined;
  /** Where the tree is saved. */
  readonly file: string;
  /** Where the index keeps its files. */
  readonly folder: string;
}

export interface ScannedIndex {
  readonly tree: Tree;
  readonly marks: Marks;
  readonly result: IndexingResult;
}

/** Makes a generation of an index, from the previous one where that is possible. */
export async function scanIndex(
  job: JobContext,
  { row, earlier, file, folder }: IndexToScan,
): Promise<ScannedIndex> {
  const { allowed, full, asked, thorough } = job.params;
  // Changes below a depth limit are noticed only by reading everything.
  const quick =
    full !== true &&
    earlier !== undefined &&
    row.options.depthLimit === undefined &&
    hasDetails(earlier.tree) &&
    JSON.stringify(earlier.tree.meta.options) === JSON.stringify(row.options);
  const onFileSystem = row.generation > 0 ? undefined : await expectedEntries(row.root, row.options);
  const marks = earlier?.marks ?? new Marks();
  const taken = marks.take();
  const { tree, ...result } = await runIndexing(
    {
      root: row.root,
      options: row.options,
      allowed: Array.isArray(allowed) ? allowed.map(String) : [],
      firstId: row.nextId,
      marks: quick ? taken : undefined,
      fileMs: asked === true || thorough === true ? THOROUGH_CHECK_MS : FILE_CHECK_MS,
      file,
      growthFolder: folder,
    },
    earlier?.tree,
    job.signal,
    ({ entries }) => job.progress(progressOf(row, entries, onFileSystem)),
  ).catch((error: unknown) => {
    marks.giveBack(taken);
    throw error;
  });
  marks.confirm(taken, !quick);
  return { tree, marks, result };
}
