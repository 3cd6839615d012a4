import { errorText } from '../../contract/errors.ts';
import { Thread } from '../../threads/thread.ts';
import type { SourceFile } from '../files/source-tree.ts';
import type { BuildMethods } from './trigram-segment.worker.ts';

/** One segment to make. */
export interface BuildTask {
  readonly number: number;
  readonly root: string;
  readonly files: readonly SourceFile[];
  /** Where the segment goes. */
  readonly output: string;
}

/** Text in one segment. Bounds the memory of a build and the time until the first part can be used. */
export const MAX_SEGMENT_BYTES = 48 * 1024 * 1024;
const MAX_SEGMENT_FILES = 40_000;
const MAX_BUILDERS = 2;
/** With more files than this the list of them takes the memory of one builder. */
const MANY_FILES = 120_000;
/** What a builder keeps lies outside the heap; without a limit its garbage would take a hundred megabytes. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** Cuts files, in the order given, into lists of one segment each. */
export function segmentTasks<File extends SourceFile>(files: readonly File[]): File[][] {
  const tasks: File[][] = [];
  let text = 0;
  for (const file of files) {
    const open = tasks.at(-1);
    if (open === undefined || text + file.size > MAX_SEGMENT_BYTES || open.length >= MAX_SEGMENT_FILES) {
      tasks.push([file]);
      text = file.size;
    } else {
      open.push(file);
      text += file.size;
    }
  }
  return tasks;
}

/** How many segments of a tree are made at a time, so that the memory of a build stays the same. */
export function buildersFor(files: number): number {
  return files > MANY_FILES ? 1 : MAX_BUILDERS;
}

/**
 * Makes segments in worker threads, a few at a time, and calls `done` as each is on the disk. Stops early,
 * without an error, when the signal says so.
 */
export async function buildSegments(
  tasks: readonly BuildTask[],
  builders: number,
  done: (task: BuildTask, bytes: number) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...tasks];
  const runOne = async () => {
    const thread = new Thread<BuildMethods>(new URL('./trigram-segment.worker.ts', import.meta.url), {
      limits: HEAP_LIMITS,
      endOnCancel: true,
    });
    try {
      for (let task = queue.shift(); task !== undefined && !signal.aborted; task = queue.shift()) {
        const bytes = await thread.call('build', task, { signal }).catch((error: unknown) => {
          if (signal.aborted) return undefined;
          throw new Error(`segment ${task?.output}: ${errorText(error)}`);
        });
        if (bytes !== undefined) await done(task, bytes);
      }
    } finally {
      await thread.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(builders, tasks.length) }, runOne));
}
