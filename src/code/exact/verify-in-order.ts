import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { SkipReason } from '../files/source-tree.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { batchesOf, fileOf, inOrder, type Ran, TASKS_PER_THREAD } from './file-batches.ts';
import type { LineStyle } from './hits.ts';
import type { VerifyFile } from './read-candidate.ts';
import { type VerifyReply, type VerifyTask, verify } from './verify-files.ts';
import type { VerifyPool } from './verify-pool.ts';

/** How candidates are searched. */
export interface Verification {
  readonly root: string;
  readonly pattern: PatternOptions;
  /** The compiled pattern, if it is small enough to run in this thread for a moment. */
  readonly matcher: Matcher | undefined;
  /** How lines are shown; undefined for counts only. */
  readonly lines: LineStyle | undefined;
  readonly pool: VerifyPool;
  readonly urgent: boolean;
  /** Read files whatever they contain. */
  readonly everything: boolean;
  readonly signal: AbortSignal;
  readonly onSkipped: (path: string, reason: SkipReason) => void;
  /** Called with the number of files that were searched. */
  readonly onSearched: (files: number) => void;
}

/**
 * The first page is searched in this thread: most are found before another thread is awake, and half a millisecond
 * for each hand-over adds up. Other calls get their turn in between, and after a few turns the threads take over.
 */
const TURN_MS = 2;
const TURNS_HERE = 3;
/** Counts need every file, so the threads take over as soon as that is worth it. */
const COUNT_TURNS_HERE = 1;
/** Larger files that are not indexed are left to the threads. */
const MAX_BYTES_HERE = 64 * 1024;

/** A thread returns what it has after this long, so that every search gets its turn. */
const SLICE_MS = 60;
/** Files of the first task for a thread; later ones are larger. */
const FIRST_FILES = 32;
const MAX_FILES = 1024;
/** Bytes per task. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Hits per task when lines are shown; nobody looks at more. */
const MAX_HITS = 256;

/** Files to search; the first of them only from a given byte on. */
interface Batch {
  readonly files: readonly VerifyFile[];
  readonly after: number;
}

/**
 * Searches candidates in order: the first ones here and at once, then with all threads of the pool. Replies come
 * in the order of the candidates; only a few tasks are under way, so a reader who stops early has cost little.
 */
export async function* verifyInOrder(
  candidates: Iterator<Candidate>,
  spec: Verification,
): AsyncGenerator<VerifyReply> {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const begun = yield* verifyHere(candidates, spec, cancelled);
  const sizes = { files: FIRST_FILES, maxFiles: MAX_FILES, bytes: MAX_BYTES };
  function* batches(): Generator<Batch> {
    if (begun !== undefined) yield begun;
    for (const files of batchesOf(candidates, sizes)) yield { files, after: 0 };
  }
  try {
    yield* inOrder(batches(), spec.pool.size * TASKS_PER_THREAD, (batch) => runBatch(batch, spec, cancelled));
  } finally {
    // Tasks of a reader who stopped early end at the next file.
    Atomics.store(cancelled, 0, 1);
  }
}

/** Searches the first files in this thread; returns the file that it did not finish, if any. */
async function* verifyHere(
  candidates: Iterator<Candidate>,
  spec: Verification,
  cancelled: Int32Array,
): AsyncGenerator<VerifyReply, Batch | undefined> {
  const { matcher } = spec;
  if (matcher === undefined || !spec.urgent) return undefined;
  let open: Batch | undefined;
  const turns = spec.lines === undefined ? COUNT_TURNS_HERE : TURNS_HERE;
  for (let turn = 0; turn < turns; turn++) {
    if (turn > 0) await nextTurn();
    spec.signal.throwIfAborted();
    for (const ends = performance.now() + TURN_MS; performance.now() < ends; ) {
      if (open === undefined) {
        const { value, done } = candidates.next();
        if (done) return undefined;
        open = { files: [fileOf(value)], after: 0 };
        if (value.spans === undefined && value.file.size > MAX_BYTES_HERE) return open;
      }
      const reply = verify(matcher, taskOf(open, spec, cancelled, TURN_MS));
      for (const [path, reason] of reply.skipped) spec.onSkipped(path, reason);
      spec.onSearched(reply.next);
      if (reply.counts.length > 0) yield reply;
      open = reply.next === 0 ? { ...open, after: reply.after } : undefined;
    }
  }
  return open;
}

/**
 * Runs one batch in as many tasks as it takes time slices: to its end for counts, otherwise until
 * there are lines to show. It continues when the reader wants more.
 */
async function runBatch(
  { files, after }: Batch,
  spec: Verification,
  cancelled: Int32Array,
): Promise<Ran<Batch, VerifyReply>> {
  const results: VerifyReply[] = [];
  let rest: Batch = { files, after };
  while (rest.files.length > 0 && cancelled[0] === 0) {
    const reply = await spec.pool.run(taskOf(rest, spec, cancelled, SLICE_MS), spec.urgent, spec.signal);
    for (const [path, reason] of reply.skipped) spec.onSkipped(path, reason);
    spec.onSearched(reply.next);
    results.push(reply);
    rest = { files: rest.files.slice(reply.next), after: reply.after };
    if (reply.found.length > 0) break;
  }
  return { results, rest: rest.files.length > 0 && cancelled[0] === 0 ? rest : undefined };
}

function taskOf(
  { files, after }: Batch,
  { root, pattern, lines, everything }: Verification,
  cancelled: Int32Array,
  sliceMs: number,
): VerifyTask {
  const maxHits = lines === undefined ? Number.MAX_SAFE_INTEGER : MAX_HITS;
  return { root, pattern, files, after, lines, everything, maxHits, sliceMs, cancelled };
}
