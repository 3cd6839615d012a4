import { errorText } from '../../contract/errors.ts';
import { threadCount } from '../../threads/scarce-memory.ts';
import { Thread } from '../../threads/thread.ts';
import { isLarge, type SizedTree } from '../files/build-gate.ts';
import type { SourceFile, SourceFiles, SourceTree } from '../files/source-tree.ts';
import type { BuildMethods } from './trigram-segment.worker.ts';

/** One segment to build. */
export interface BuildTask {
  readonly root: string;
  readonly files: readonly SourceFile[];
  /** Where the segment goes. */
  readonly output: string;
}

/** A segment whose turn has not come: its files by their numbers in the tree. */
export interface PlannedSegment {
  readonly numbers: readonly number[];
  /** Where it goes. */
  readonly output: string;
}

/**
 * Text per segment: limits the memory of a build and the time until the first segment can be used. The main thread
 * already needs much memory for a large tree, so its builder gets less: about 70 instead of 110 MB.
 */
const MAX_SEGMENT_BYTES = 48 * 1024 * 1024;
const LARGE_TREE_SEGMENT_BYTES = 24 * 1024 * 1024;
const MAX_SEGMENT_FILES = 40_000;
const MAX_BUILDERS = 2;
/** A builder keeps its data outside the heap; without a limit its garbage would take a hundred megabytes. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** Divides files of a tree, in the given order, into one list of numbers per segment. */
export function segmentLists(
  numbers: readonly number[],
  tree: { readonly files: Pick<SourceFiles, 'size' | 'sizeAt'> },
): readonly (readonly number[])[] {
  const most = isLarge(tree) ? LARGE_TREE_SEGMENT_BYTES : MAX_SEGMENT_BYTES;
  const lists: number[][] = [];
  let text = 0;
  for (const number of numbers) {
    const open = lists.at(-1);
    const size = tree.files.sizeAt(number);
    if (open === undefined || text + size > most || open.length >= MAX_SEGMENT_FILES) {
      lists.push([number]);
      text = size;
    } else {
      open.push(number);
      text += size;
    }
  }
  return lists;
}

/** How many segments of a tree are built at a time, so that the memory of a build stays the same. */
export function buildersFor(tree: SizedTree): number {
  return isLarge(tree) ? 1 : threadCount(MAX_BUILDERS);
}

/**
 * Builds segments in worker threads, a few at a time, and calls `done` when each is on disk. Stops early,
 * without an error, if the signal aborts.
 */
export async function buildSegments(
  planned: readonly PlannedSegment[],
  { root, files }: Pick<SourceTree, 'root' | 'files'>,
  builders: number,
  done: (segment: PlannedSegment) => void,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...planned];
  const runOne = async () => {
    const thread = new Thread<BuildMethods>(new URL('./trigram-segment.worker.ts', import.meta.url), {
      limits: HEAP_LIMITS,
      endOnCancel: true,
    });
    try {
      for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift()) {
        const { numbers, output } = next;
        const task = { root, files: numbers.flatMap((number) => files.at(number) ?? []), output };
        const bytes = await thread.call('build', task, { signal }).catch((error: unknown) => {
          if (signal.aborted) return undefined;
          throw new Error(`segment ${output}: ${errorText(error)}`);
        });
        if (bytes !== undefined) done(next);
      }
    } finally {
      await thread.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(builders, planned.length) }, runOne));
}
