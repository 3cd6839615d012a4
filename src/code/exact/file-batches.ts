import type { Candidate } from '../trigram/merge-candidates.ts';
import type { VerifyFile } from './read-candidate.ts';

/** Tasks per thread: one that runs and one that waits. */
export const TASKS_PER_THREAD = 2;

/** The sizes of the batches for threads. */
export interface BatchSizes {
  /** Files of the first batch; later ones are larger. */
  readonly files: number;
  readonly maxFiles: number;
  readonly bytes: number;
}

/** Candidates in batches for threads. */
export function* batchesOf(candidates: Iterator<Candidate>, sizes: BatchSizes): Generator<VerifyFile[]> {
  for (let size = sizes.files; ; size = Math.min(Math.ceil(size * 1.5), sizes.maxFiles)) {
    const batch: VerifyFile[] = [];
    let bytes = 0;
    while (batch.length < size && bytes < sizes.bytes) {
      const { value, done } = candidates.next();
      if (done) break;
      batch.push(fileOf(value));
      bytes += value.spans?.reduce((sum, span) => sum + span.to - span.from, 0) ?? value.file.size;
    }
    if (batch.length === 0) return;
    yield batch;
  }
}

export function fileOf({ file: { path, size, mtimeMs }, spans }: Candidate): VerifyFile {
  return { path, size, mtimeMs, spans };
}

/** The results of a batch, and what is left of it for later. */
export interface Ran<Batch, Result> {
  readonly results: readonly Result[];
  readonly rest?: Batch | undefined;
}

/**
 * Runs batches, a few at a time, and yields their results in batch order. The rest of a batch runs only after its first
 * results are taken: a reader who has enough costs nothing more.
 */
export async function* inOrder<Batch, Result>(
  batches: Iterator<Batch>,
  atOnce: number,
  run: (batch: Batch) => Promise<Ran<Batch, Result>>,
): AsyncGenerator<Result> {
  const under: Promise<Ran<Batch, Result>>[] = [];
  const begin = (batch: Batch) => {
    const running = run(batch);
    // A failure is handled when its turn comes; until then it must not count as unhandled.
    running.catch(() => {});
    return running;
  };
  const fill = () => {
    while (under.length < atOnce) {
      const { value, done } = batches.next();
      if (done) return;
      under.push(begin(value));
    }
  };
  for (fill(); under.length > 0; fill()) {
    const ran = await under.shift();
    yield* ran?.results ?? [];
    if (ran?.rest !== undefined) under.unshift(begin(ran.rest));
  }
}
