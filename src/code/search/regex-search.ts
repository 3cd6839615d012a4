import { fail } from '../../contract/errors.ts';
import type { Requirement } from '../../regex/literals.ts';
import { requirementText } from '../../regex/literals.ts';
import { createMatcher, type Matcher, type PatternOptions } from '../../regex/matcher.ts';
import { TooExpensive } from '../../regex/simulate.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';
import type { SkipCounts, SkipReason, SourceFile, SourceTree } from '../files.ts';
import { comparePaths } from '../paths.ts';
import type { Candidate } from '../trigram/merge.ts';
import type { TrigramIndex } from '../trigram/trigram-index.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { verifyInOrder } from './indexed.ts';
import type { VerifyPool } from './pool.ts';
import { fileFilter, type RegexQuery, type RegexSearch } from './query.ts';
import { countByRipgrep, runRipgrep } from './ripgrep.ts';

/** What a search works on; the tree has been refreshed for it. */
export interface SearchScene {
  readonly tree: SourceTree;
  readonly index: TrigramIndex;
  readonly pool: VerifyPool;
  readonly fresh: boolean;
  readonly signal: AbortSignal;
}

/** More unindexed text than this is left to ripgrep. */
const MAX_PENDING_BYTES = 24 * 1024 * 1024;

/** Paths in one run of ripgrep: few first, for an early page; the longest list is well below the system's limit. */
const FIRST_PATHS = 128;
const MOST_PATHS = 8_192;

/** Steps of a pattern that may run in this thread: the time for a line is at most its length times this. */
const SMALL_PATTERN = 200;

/** Prepares a search; nothing is read before somebody pulls. */
export function regexSearch(query: RegexQuery, scene: SearchScene): RegexSearch {
  const { tree, index } = scene;
  const matcher = compiled(query.pattern);
  const need = matcher?.requirement;
  const admits = fileFilter(query.filter);
  const skippedNow: Partial<Record<SkipReason, number>> = {};
  const skip = (_path: string, reason: SkipReason) => {
    skippedNow[reason] = (skippedNow[reason] ?? 0) + 1;
  };
  const indexed = index.state.pendingBytes <= MAX_PENDING_BYTES;
  let via: 'index' | 'ripgrep' = need !== undefined && isSelective(need) && indexed ? 'index' : 'ripgrep';

  const candidates = (from: string | undefined): Iterator<Candidate> => {
    const all = index.candidates(need ?? { kind: 'any' }, admits);
    return from === undefined ? all : after(all, from);
  };
  /** Through the index; where the pattern proves too much for this process, ripgrep goes on from there. */
  async function* run(lines: LineStyle | undefined, urgent: boolean) {
    let last: string | undefined;
    if (via === 'index') {
      const spec = {
        root: tree.root,
        pattern: query.pattern,
        matcher: matcher !== undefined && matcher.size <= SMALL_PATTERN ? matcher : undefined,
        lines,
        pool: scene.pool,
        urgent,
        signal: scene.signal,
        onSkipped: skip,
      };
      try {
        for await (const reply of verifyInOrder(candidates(undefined), spec)) {
          for (const [position, [path, count]] of reply.counts.entries()) {
            last = path;
            yield { path, count, hits: reply.found[position]?.hits ?? [] };
          }
        }
        return;
      } catch (error) {
        if (!(error instanceof TooExpensive)) throw error;
        via = 'ripgrep';
      }
    }
    yield* byRipgrep(query, scene, candidates(last), lines, skip);
  }

  return {
    async *hits(): AsyncGenerator<FileHits> {
      for await (const { path, hits } of run(query.lines, true)) yield { path, hits };
    },
    async *counts() {
      if (via === 'ripgrep') {
        yield* countTree(query, scene, admits);
        return;
      }
      for await (const { path, count } of merged(run(undefined, false))) yield [path, count] as const;
    },
    plan() {
      const chosen = { files: 0, bytes: 0 };
      for (const { file, spans } of index.candidates(
        via === 'index' && need ? need : { kind: 'any' },
        admits,
      )) {
        chosen.files++;
        chosen.bytes += spans?.reduce((sum, span) => sum + span.to - span.from, 0) ?? file.size;
      }
      const { indexed: files, pending, segments, bytes } = index.state;
      const requires = need === undefined || need.kind === 'any' ? undefined : requirementText(need);
      const { insensitive } = query.pattern;
      return { via, requires, candidates: chosen, index: { files, pending, segments, bytes }, insensitive };
    },
    get report() {
      const { files, skipped } = index.counts(query.filter.hidden);
      return {
        via,
        fresh: scene.fresh,
        indexed,
        files,
        skipped: addSkips(addSkips(tree.skipped, skipped), skippedNow),
      };
    },
  };
}

/** Every matching line contains a text that is long enough for the index. */
function isSelective(need: Requirement): boolean {
  if (need.kind === 'literal') return Buffer.byteLength(need.literal.text) >= 3;
  if (need.kind === 'one') return need.parts.every(isSelective);
  return need.kind === 'all' && need.parts.some(isSelective);
}

/** All counts from one run of ripgrep over the folder; its own walk sees what ours sees. */
async function* countTree(
  query: RegexQuery,
  { tree, index, signal }: SearchScene,
  admits: (file: SourceFile) => boolean,
) {
  const { pattern, filter } = query;
  const run = { root: tree.root, pattern, below: filter.below, hidden: filter.hidden, signal };
  const found = await countByRipgrep(run);
  const kept = found.filter(([path]) => {
    const file = tree.files.get(path);
    return file !== undefined && admits(file) && index.skipOf(path) === undefined;
  });
  yield* kept.sort(([a], [b]) => comparePaths(a, b));
}

/** Pieces of one file as one. */
async function* merged(pieces: AsyncGenerator<{ path: string; count: number }>) {
  let open: { path: string; count: number } | undefined;
  for await (const { path, count } of pieces) {
    if (open?.path === path) open.count += count;
    else {
      if (open !== undefined) yield open;
      open = { path, count };
    }
  }
  if (open !== undefined) yield open;
}

/** The pattern made ready; undefined when only ripgrep can run it. */
function compiled(pattern: PatternOptions): Matcher | undefined {
  try {
    return createMatcher(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    if (error instanceof PatternError) {
      fail('invalid_parameter', `pattern: ${error.message} (at character ${error.position}).`, {
        position: error.position,
      });
    }
    throw error;
  }
}

/** Runs ripgrep over the files in growing lists; each list is put in order before it is given on. */
async function* byRipgrep(
  query: RegexQuery,
  scene: SearchScene,
  candidates: Iterator<Candidate>,
  lines: LineStyle | undefined,
  skip: (path: string, reason: SkipReason) => void,
): AsyncGenerator<{ path: string; count: number; hits: FileHits['hits'] }> {
  for (let size = FIRST_PATHS; ; size = Math.min(size * 4, MOST_PATHS)) {
    const paths: string[] = [];
    while (paths.length < size) {
      const { value, done } = candidates.next();
      if (done) break;
      paths.push(value.file.path);
    }
    if (paths.length === 0) return;
    const found: { path: string; count: number; hits: FileHits['hits'] }[] = [];
    const run = {
      root: scene.tree.root,
      pattern: query.pattern,
      paths: paths.map((path) => `./${path}`),
      lines,
      signal: scene.signal,
    };
    for await (const file of runRipgrep(run)) {
      if (file.binary) skip(file.path, 'binary');
      else if (file.count > 0) found.push(file);
    }
    found.sort((a, b) => comparePaths(a.path, b.path));
    yield* found;
  }
}

function* after(candidates: Iterator<Candidate>, path: string): Generator<Candidate> {
  for (let step = candidates.next(); !step.done; step = candidates.next()) {
    if (comparePaths(step.value.file.path, path) > 0) yield step.value;
  }
}

function addSkips(to: SkipCounts, more: SkipCounts): SkipCounts {
  const sum: Partial<Record<SkipReason, number>> = { ...to };
  for (const [reason, count] of Object.entries(more)) {
    const key = reason as SkipReason;
    sum[key] = (sum[key] ?? 0) + count;
  }
  return sum;
}
