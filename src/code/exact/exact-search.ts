import { TooExpensive } from '../../regex/simulate.ts';
import { comparePaths } from '../files/path-order.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import type { ExactQuery, ExactSearch, SearchPlan, SearchReport } from './exact-query.ts';
import type { FileHits, Hit, LineStyle } from './hits.ts';
import { MultilineSearch } from './multiline-search.ts';
import { countByRipgrep, NOTHING_SHOWN, type RipgrepRun, recountByRipgrep } from './ripgrep.ts';
import { byRipgrep, isVeryLarge, listsOf, skipOf, withMatches } from './ripgrep-lists.ts';
import { candidatesFrom, filesInScope, planOf, type SearchSetup, setUpSearch } from './search-setup.ts';
import { SearchTally } from './search-tally.ts';
import type { SearchTarget } from './search-target.ts';
import { type Verification, verifyInOrder } from './verify-in-order.ts';

/** Some hits of one file; `hits` is empty when only counting. */
interface Piece extends FileHits {
  readonly count: number;
}

/** Larger patterns run only in the pool's threads: a line may take its length times this many steps. */
const MAX_STEPS_HERE = 200;

/** Prepares a search; nothing is read before its results are pulled. */
export function prepareSearch(query: ExactQuery, target: SearchTarget): ExactSearch {
  return query.pattern.multiline ? new MultilineSearch(query, target) : new PreparedSearch(query, target);
}

/**
 * A search works in one of two ways. If the index rules out most files, our own engine searches the rest. If it does
 * not, ripgrep names the files with a match and our engine searches those. If our engine cannot run the pattern, or
 * gives up midway because the pattern is too expensive, ripgrep supplies the lines as well.
 */
class PreparedSearch implements ExactSearch {
  readonly #query: ExactQuery;
  readonly #target: SearchTarget;
  readonly #setup: SearchSetup;
  readonly #tally: SearchTally;
  readonly #ripgrep: RipgrepRun;
  #via: SearchReport['via'];

  constructor(query: ExactQuery, target: SearchTarget) {
    const { pattern, filter } = query;
    const { tree, signal } = target;
    this.#query = query;
    this.#target = target;
    this.#setup = setUpSearch(query, target);
    this.#tally = new SearchTally(target, this.#setup, filter);
    const { matcher, everything, selective } = this.#setup;
    this.#ripgrep = { root: tree.root, pattern, matcher, everything, signal };
    this.#via = selective ? 'index' : 'ripgrep';
  }

  async *hits(): AsyncGenerator<FileHits> {
    for await (const { path, hits } of this.#pieces(this.#query.lines, true)) yield { path, hits };
  }

  async *counts(urgent = true): AsyncGenerator<readonly [path: string, hits: number]> {
    const { named } = this.#setup;
    // Reading a single file is faster than starting ripgrep.
    const isOneFile = named !== undefined || this.#target.tree.files.has(this.#query.filter.below);
    if (this.#via === 'ripgrep' && !isOneFile) yield* this.#countsByRipgrep();
    else yield* countsPerFile(this.#pieces(undefined, urgent));
  }

  async *files(): AsyncGenerator<string> {
    if (this.#via === 'index') {
      for await (const [path] of this.counts()) yield path;
      return;
    }
    for (const list of listsOf(this.#candidates())) {
      const matching = await withMatches(this.#ripgrep, list, this.#tally.addSearched);
      yield* matching.map(({ file }) => file.path);
    }
  }

  plan(): SearchPlan {
    return planOf(this.#setup, this.#target, this.#via, this.#query);
  }

  inScope(): number {
    return filesInScope(this.#setup, this.#target, this.#tally.skipped);
  }

  get report(): SearchReport {
    return this.#tally.report(this.#via);
  }

  async *#pieces(lines: LineStyle | undefined, urgent: boolean): AsyncGenerator<Piece> {
    const given = new GivenOut();
    let ours = this.#setup.matcher !== undefined;
    if (this.#via === 'index') {
      ours = yield* this.#verify(this.#candidates(), lines, urgent, given);
      if (ours) return;
    }
    for (const list of listsOf(this.#candidates(given.path))) {
      if (ours && !list.some(isVeryLarge)) {
        const matching = await withMatches(this.#ripgrep, list, this.#tally.addSearched);
        ours = yield* this.#verify(matching.values(), lines, urgent, given);
        if (ours) continue;
      }
      const left = list.filter(({ file }) => given.mayLack(file.path));
      yield* this.#searchByRipgrep(left, lines ?? NOTHING_SHOWN, given);
    }
  }

  /** Searches candidates with our own engine; returns false if the pattern is too expensive for it. */
  async *#verify(
    candidates: Iterator<Candidate>,
    lines: LineStyle | undefined,
    urgent: boolean,
    given: GivenOut,
  ): AsyncGenerator<Piece, boolean> {
    try {
      for await (const { counts, found } of verifyInOrder(candidates, this.#verification(lines, urgent))) {
        for (const [position, [path, count]] of counts.entries()) {
          given.add(path, count);
          yield { path, count, hits: found[position]?.hits ?? [] };
        }
      }
      return true;
    } catch (error) {
      if (!(error instanceof TooExpensive)) throw error;
      this.#via = 'ripgrep';
      return false;
    }
  }

  /** Takes the lines from ripgrep, without those that our engine returned before it gave up. */
  async *#searchByRipgrep(
    list: readonly Candidate[],
    lines: LineStyle,
    given: GivenOut,
  ): AsyncGenerator<Piece> {
    for await (const { path, hits } of byRipgrep(
      this.#ripgrep,
      this.#target,
      list,
      lines,
      this.#tally.addSkipped,
    )) {
      const left = given.without(path, hits);
      if (left.length > 0) yield { path, count: left.length, hits: left };
    }
    this.#tally.addSearched(list.length);
  }

  async *#countsByRipgrep(): AsyncGenerator<readonly [path: string, hits: number]> {
    const { tree, index } = this.#target;
    const { admits, everything } = this.#setup;
    const { counts, doubtful } = await countByRipgrep(this.#ripgrep, pathsOf(this.#candidates()));
    for await (const [path, count] of this.#recount(doubtful)) counts.set(path, count);
    for (const [path, count] of [...counts].sort(([a], [b]) => comparePaths(a, b))) {
      const file = tree.files.get(path);
      if (file === undefined || !admits(file)) continue;
      const reason = everything ? undefined : await skipOf(this.#target, file);
      if (reason === undefined) yield [path, count];
      else if (index.isPending(path)) this.#tally.addSkipped(path, reason);
    }
  }

  /** Counts again in the files for which ripgrep's numbers may be wrong. */
  async *#recount(paths: readonly string[]): AsyncGenerator<readonly [path: string, hits: number]> {
    const { matcher, everything } = this.#setup;
    if (matcher === undefined || everything) {
      yield* recountByRipgrep(this.#ripgrep, paths);
      return;
    }
    const files = paths.flatMap((path) => this.#target.tree.files.get(path) ?? []);
    const candidates = files.map((file): Candidate => ({ file, spans: undefined }));
    try {
      for await (const { counts } of verifyInOrder(candidates.values(), this.#verification(undefined, false)))
        yield* counts;
    } catch (error) {
      if (!(error instanceof TooExpensive)) throw error;
      // Also when the machine is so busy that a thread seems to be stuck.
      yield* recountByRipgrep(this.#ripgrep, paths);
    }
  }

  #candidates(from = ''): Iterator<Candidate> {
    return candidatesFrom(from, this.#setup, this.#target);
  }

  #verification(lines: LineStyle | undefined, urgent: boolean): Verification {
    const { matcher, everything } = this.#setup;
    const { tree, pool, signal } = this.#target;
    return {
      root: tree.root,
      pattern: this.#query.pattern,
      matcher: matcher !== undefined && matcher.size <= MAX_STEPS_HERE ? matcher : undefined,
      lines,
      urgent,
      everything,
      pool,
      signal,
      onSkipped: this.#tally.addSkipped,
      onSearched: this.#tally.addSearched,
    };
  }
}

/** Remembers what was returned last, so that nothing is repeated when ripgrep takes over in the middle of a file. */
class GivenOut {
  path = '';
  /** Lines of the file at `path`. */
  #count = 0;

  add(path: string, count: number): void {
    this.#count = count + (path === this.path ? this.#count : 0);
    this.path = path;
  }

  /** Whether some lines of a file may not have been returned yet. */
  mayLack(path: string): boolean {
    return comparePaths(path, this.path) >= 0;
  }

  /** The hits that have not been returned yet. */
  without(path: string, hits: readonly Hit[]): readonly Hit[] {
    const known = path === this.path ? Math.min(this.#count, hits.length) : 0;
    this.#count -= known;
    return hits.slice(known);
  }
}

/** Adds up the pieces of each file. */
async function* countsPerFile(
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<readonly [path: string, hits: number]> {
  let open: { readonly path: string; count: number } | undefined;
  for await (const { path, count } of pieces) {
    if (open?.path === path) open.count += count;
    else {
      if (open !== undefined) yield [open.path, open.count];
      open = { path, count };
    }
  }
  if (open !== undefined) yield [open.path, open.count];
}

function* pathsOf(candidates: Iterator<Candidate>): Generator<string> {
  for (let step = candidates.next(); !step.done; step = candidates.next()) yield step.value.file.path;
}
