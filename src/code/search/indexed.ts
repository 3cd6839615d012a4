import type { PatternOptions } from '../../regex/matcher.ts';
import type { SkipReason } from '../files.ts';
import type { Candidate } from '../trigram/merge.ts';
import type { LineStyle } from './hits.ts';
import type { VerifyPool } from './pool.ts';
import type { VerifyFile, VerifyReply, VerifyTask } from './verify.ts';

/** What is needed to look into candidates. */
export interface Verification {
  readonly root: string;
  readonly pattern: PatternOptions;
  /** Give back lines, or numbers only. */
  readonly lines: LineStyle | undefined;
  readonly pool: VerifyPool;
  readonly urgent: boolean;
  readonly signal: AbortSignal;
  readonly onSkipped: (path: string, reason: SkipReason) => void;
}

/** Files of the first task: enough for a page, so that it comes at once; later tasks are larger. */
const FIRST_FILES = 16;
const MOST_FILES = 1024;
/** Bytes of one task. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Hits of one task when lines are asked for: more would be read than anybody looks at. */
const MOST_HITS = 256;

/**
 * Looks into candidates, in order, with all threads of the pool. Replies come in the order of the candidates;
 * no more tasks are under way than there are threads, so a reader who stops early has cost little.
 */
export async function* verifyInOrder(
  candidates: Iterator<Candidate>,
  spec: Verification,
): AsyncGenerator<VerifyReply> {
  const under: Promise<VerifyReply[]>[] = [];
  const batches = batchesOf(candidates, spec.lines === undefined ? FIRST_FILES * 16 : FIRST_FILES);
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const fill = () => {
    while (under.length < spec.pool.size) {
      const { value, done } = batches.next();
      if (done) return;
      const running = runBatch(value, spec, cancelled);
      // Looked at when its turn comes; until then a failure is not unhandled.
      running.catch(() => {});
      under.push(running);
    }
  };
  try {
    for (fill(); under.length > 0; fill()) {
      const replies = (await under.shift()) ?? [];
      yield* replies;
    }
  } finally {
    // A reader who has enough leaves tasks behind: they end at the next file.
    Atomics.store(cancelled, 0, 1);
  }
}

/** Runs one batch to its end, through as many tasks as its time slices and hit limits make. */
async function runBatch(
  files: readonly VerifyFile[],
  spec: Verification,
  cancelled: Int32Array,
): Promise<VerifyReply[]> {
  const replies: VerifyReply[] = [];
  let rest = files;
  let after = 0;
  while (rest.length > 0 && cancelled[0] === 0) {
    const task: VerifyTask = {
      root: spec.root,
      pattern: spec.pattern,
      files: rest,
      after,
      lines: spec.lines,
      maxHits: spec.lines === undefined ? Number.MAX_SAFE_INTEGER : MOST_HITS,
      cancelled,
    };
    const reply = await spec.pool.run(task, spec.urgent, spec.signal);
    for (const [path, reason] of reply.skipped) spec.onSkipped(path, reason);
    replies.push(reply);
    rest = rest.slice(reply.next);
    after = reply.after;
  }
  return replies;
}

function* batchesOf(candidates: Iterator<Candidate>, first: number): Generator<VerifyFile[]> {
  let size = first;
  for (;;) {
    const batch: VerifyFile[] = [];
    let bytes = 0;
    while (batch.length < size && bytes < MOST_BYTES) {
      const { value, done } = candidates.next();
      if (done) break;
      const { path, size: fileSize, mtimeMs } = value.file;
      batch.push({ path, size: fileSize, mtimeMs, spans: value.spans });
      bytes += value.spans?.reduce((sum, span) => sum + span.to - span.from, 0) ?? fileSize;
    }
    if (batch.length === 0) return;
    yield batch;
    size = Math.min(Math.ceil(size * 1.5), MOST_FILES);
  }
}
