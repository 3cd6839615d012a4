import { fail } from '../../contract/errors.ts';
import type { Requirement } from '../../regex/literals.ts';
import { requirementText } from '../../regex/literals.ts';
import { createMatcher, type Matcher, type PatternOptions } from '../../regex/matcher.ts';
import { TooExpensive } from '../../regex/simulate.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';
import { comparePaths } from '../files/paths.ts';
import type { SkipCounts, SkipReason, SourceTree } from '../files/source-tree.ts';
import type { Candidate } from '../trigram/merge.ts';
import type { TrigramIndex } from '../trigram/trigram-index.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { verifyInOrder } from './indexed.ts';
import { namedFile } from './named-file.ts';
import type { VerifyPool } from './pool.ts';
import { fileFilter, isWhole, type RegexQuery, type RegexSearch } from './query.ts';
import { countByRipgrep, NOTHING_SHOWN, type RipgrepRun, recountByRipgrep } from './ripgrep.ts';
import { byRipgrep, isVeryLarge, listsOf, skipOf, withMatches } from './ripgrep-lists.ts';

/** What a search works on; the tree has been refreshed for it. */
export interface SearchScene {
  readonly tree: SourceTree;
  readonly index: TrigramIndex;
  readonly pool: VerifyPool;
  /** Why the list of files may not be right; undefined when it is. */
  readonly doubt: string | undefined;
  readonly signal: AbortSignal;
}

/** Some hits of one file, or their number. */
interface Piece extends FileHits {
  readonly count: number;
}

/** More unindexed text than this is left to ripgrep. */
const MAX_PENDING_BYTES = 24 * 1024 * 1024;

/** Steps of a pattern that may run in this thread: the time for a line is at most its length times this. */
const SMALL_PATTERN = 200;

/** Prepares a search; nothing is read before somebody pulls. */
export function regexSearch(query: RegexQuery, scene: SearchScene): RegexSearch {
  const { tree, index } = scene;
  const matcher = compiled(query.pattern);
  const need = matcher?.requirement;
  const admits = fileFilter(query.filter);
  const skippedNow: Partial<Record<SkipReason, number>> = {};
  const skip = (path: string, reason: SkipReason) => {
    // Those that the index knows are counted there.
    if (index.skipOf(path) !== undefined) return;
    skippedNow[reason] = (skippedNow[reason] ?? 0) + 1;
  };
  let left: { readonly indexed: number; readonly skipped: SkipCounts } | undefined;
  /** Looked for again only when the index has moved on: an answer is written several times until it fits. */
  const leftOut = () => {
    const { indexed } = index.state;
    if (left?.indexed !== indexed) left = { indexed, skipped: index.leftOut(admits) };
    return left.skipped;
  };
  const indexed = index.state.pendingBytes <= MAX_PENDING_BYTES;
  const named = namedFile(scene, query.filter.below);
  const everything = (query.filter.everything ?? false) || (named !== undefined && named.nul === undefined);
  const selective = need !== undefined && isSelective(need) && indexed && !everything;
  let via: 'index' | 'ripgrep' = selective ? 'index' : 'ripgrep';

  let looked = 0;
  const onLooked = (files: number) => {
    looked += files;
  };

  const { pattern } = query;
  const ripgrep: RipgrepRun = { root: tree.root, pattern, matcher, everything, signal: scene.signal };
  const verification = {
    root: tree.root,
    pattern,
    matcher: matcher !== undefined && matcher.size <= SMALL_PATTERN ? matcher : undefined,
    everything,
    pool: scene.pool,
    signal: scene.signal,
    onSkipped: skip,
    onLooked,
  };
  const candidates = (from: string): Iterator<Candidate> => {
    if (named !== undefined) return [{ file: named.file, spans: undefined }].values();
    const all = index.candidates({ need: need ?? { kind: 'any' }, admits, everything });
    return from === '' ? all : startingAt(all, from);
  };
  /** Through the index, or the files that ripgrep finds; where the pattern proves too much, ripgrep goes on alone. */
  async function* run(lines: LineStyle | undefined, urgent: boolean): AsyncGenerator<Piece> {
    const told = { path: '', count: 0 };
    const spec = { ...verification, lines, urgent };
    let ours = matcher !== undefined;
    async function* verified(some: Iterator<Candidate>): AsyncGenerator<Piece> {
      try {
        for await (const reply of verifyInOrder(some, spec)) {
          for (const [position, [path, count]] of reply.counts.entries()) {
            told.count = count + (path === told.path ? told.count : 0);
            told.path = path;
            yield { path, count, hits: reply.found[position]?.hits ?? [] };
          }
        }
      } catch (error) {
        if (!(error instanceof TooExpensive)) throw error;
        via = 'ripgrep';
        ours = false;
      }
    }
    if (via === 'index') {
      yield* verified(candidates(''));
      if (ours) return;
    }
    for (const list of listsOf(candidates(told.path))) {
      if (ours && !list.some(isVeryLarge)) {
        yield* verified((await withMatches(ripgrep, list, onLooked)).values());
        if (ours) continue;
      }
      // Some lines of a file may have been told before the pattern proved too much.
      const left = list.filter(({ file }) => comparePaths(file.path, told.path) >= 0);
      for await (const { path, hits } of byRipgrep(ripgrep, scene, left, lines ?? NOTHING_SHOWN, skip)) {
        const known = path === told.path ? Math.min(told.count, hits.length) : 0;
        told.count -= known;
        if (known < hits.length) yield { path, count: hits.length - known, hits: hits.slice(known) };
      }
      onLooked(left.length);
    }
  }

  /** Counts in files that ripgrep's numbers cannot be trusted for. */
  async function* recount(paths: readonly string[]): AsyncGenerator<readonly [string, number]> {
    if (matcher === undefined || everything) {
      yield* recountByRipgrep(ripgrep, paths);
      return;
    }
    const files = paths.flatMap((path) => tree.files.get(path) ?? []);
    const whole = files.map((file): Candidate => ({ file, spans: undefined }));
    const spec = { ...verification, lines: undefined, urgent: false };
    for await (const reply of verifyInOrder(whole.values(), spec)) yield* reply.counts;
  }

  return {
    async *hits(): AsyncGenerator<FileHits> {
      for await (const { path, hits } of run(query.lines, true)) yield { path, hits };
    },
    async *counts(waited = true) {
      // One file is sooner looked into than asked about.
      if (via === 'ripgrep' && named === undefined && !tree.files.has(query.filter.below)) {
        const { counts: found, doubtful } = await countByRipgrep(ripgrep, pathsOf(candidates('')));
        for await (const [path, count] of recount(doubtful)) found.set(path, count);
        for (const path of [...found.keys()].sort(comparePaths)) {
          const file = tree.files.get(path);
          if (file === undefined || !admits(file)) continue;
          const reason = everything ? undefined : await skipOf(scene, file);
          if (reason === undefined) yield [path, found.get(path) ?? 0] as const;
          else if (index.isPending(path)) skip(path, reason);
        }
        return;
      }
      for await (const { path, count } of merged(run(undefined, waited))) yield [path, count] as const;
    },
    plan() {
      const chosen = { files: 0, bytes: 0 };
      const demanded: Requirement = via === 'index' && need ? need : { kind: 'any' };
      for (const { file, spans } of index.candidates({ need: demanded, admits, everything })) {
        chosen.files++;
        chosen.bytes += spans?.reduce((sum, span) => sum + span.to - span.from, 0) ?? file.size;
      }
      const { indexed: files, pending, segments, bytes } = index.state;
      const requires = need === undefined || need.kind === 'any' ? undefined : requirementText(need);
      const { insensitive } = query.pattern;
      return { via, requires, candidates: chosen, index: { files, pending, segments, bytes }, insensitive };
    },
    get report() {
      const { files, skipped: everywhere } = index.counts(query.filter.hidden);
      const skipped = isWhole(query.filter) ? everywhere : leftOut();
      const all = addSkips(addSkips(tree.skipped, skipped), skippedNow);
      const { unreadable = 0 } = all;
      const doubt =
        scene.doubt ?? (unreadable > 0 ? `${unreadable} files or folders could not be read` : undefined);
      return { via, fresh: doubt === undefined, doubt, indexed, files, looked, skipped: all };
    },
  };
}

/** Every matching line contains a text that is long enough for the index. */
export function isSelective(need: Requirement): boolean {
  if (need.kind === 'literal') return Buffer.byteLength(need.literal.text) >= 3;
  if (need.kind === 'one') return need.parts.every(isSelective);
  return need.kind === 'all' && need.parts.some(isSelective);
}

/** Pieces of one file as one. */
async function* merged(pieces: AsyncGenerator<Piece>) {
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
export function compiled(pattern: PatternOptions): Matcher | undefined {
  try {
    return createMatcher(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    if (error instanceof PatternError) {
      fail('invalid_parameter', `pattern: ${error.message} (at character ${error.position}).`, {
        details: {
          position: error.position,
        },
      });
    }
    throw error;
  }
}

function* pathsOf(candidates: Iterator<Candidate>): Generator<string> {
  for (let step = candidates.next(); !step.done; step = candidates.next()) yield step.value.file.path;
}

function* startingAt(candidates: Iterator<Candidate>, path: string): Generator<Candidate> {
  for (let step = candidates.next(); !step.done; step = candidates.next()) {
    if (comparePaths(step.value.file.path, path) >= 0) yield step.value;
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
