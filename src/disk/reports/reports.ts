import { join } from 'node:path';
import { type CompiledFilter, compileFilter } from '../filter/compile-filter.ts';
import { parseFilter } from '../filter/filter-schema.ts';
import { historyOf } from '../indexes/growth-files.ts';
import { requireLocal } from '../indexes/index-access.ts';
import type { Indexes, OpenIndex } from '../indexes/index-catalog.ts';
import type { Tree } from '../tree/disk-tree.ts';
import type { Span } from '../tree/row-spans.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { duplicates } from './duplicates-thread.ts';
import type { DuplicatesFound } from './find-duplicates.ts';
import { byAge, byExtension, type Group } from './group-totals.ts';
import { type GrowthReport, growthSince } from './growth-report.ts';
import { type By, largest } from './largest-files.ts';
import { matchingRows, type Scope } from './report-scope.ts';

/** How long files are read in one call: less than the time limit of a call, so that what was found is shown. */
const DUPLICATES_MS = 25_000;
const DUPLICATES_MIN_SIZE = 4_096;
/** How long copies are looked for when a plan is made. */
const EQUAL_MS = 8_000;
const KEPT_RESULTS = 4;

export interface SearchDeps {
  readonly indexes: Indexes;
  /** Where digests are kept. */
  readonly folder: string;
  readonly now: () => number;
  /** Real paths of files that agent sessions touched below a root. */
  readonly touchedPaths: ((root: string) => Promise<Iterable<string>>) | undefined;
}

export interface Found {
  readonly rows: Uint32Array;
  readonly plan: readonly string[];
  readonly ms: number;
}

/** Asks trees: filters and reports. */
export class Search {
  readonly #deps: SearchDeps;
  readonly #duplicates = new Map<string, DuplicatesFound>();

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  /** Checks a filter without running it; throws with the place of a mistake. */
  check(filter: unknown): void {
    parseFilter(filter, this.#deps.now());
  }

  /** A test over the rows of a span of an index; undefined for no filter. */
  async compile(
    open: OpenIndex,
    { from, to }: Span,
    filter: unknown,
    signal: AbortSignal,
  ): Promise<CompiledFilter | undefined> {
    if (filter === undefined) return undefined;
    const { tree } = open;
    const { touchedPaths } = this.#deps;
    const whole = { from: 0, to: tree.meta.nodes - 1 };
    return compileFilter(
      parseFilter(filter, this.#deps.now()),
      { tree, from, to, signal },
      {
        duplicates: async () => {
          const { groups } = await this.duplicates(open, whole, undefined, signal);
          return marks(
            tree,
            groups.flatMap((group) => group.rows),
          );
        },
        touchedByAgent:
          touchedPaths &&
          (async () => {
            requireLocal(tree);
            return marks(tree, pathRows(tree, await touchedPaths(tree.meta.root)));
          }),
      },
    );
  }

  /** The rows below `span` that pass a filter. */
  async find(open: OpenIndex, span: Span, filter: unknown, signal: AbortSignal): Promise<Found> {
    const started = performance.now();
    const compiled = await this.compile(open, span, filter, signal);
    const rows = await matchingRows({
      tree: open.tree,
      ...span,
      test: compiled?.test,
      marks: compiled?.marks,
      signal,
    });
    return { rows, plan: compiled?.plan ?? ['every node'], ms: Math.round(performance.now() - started) };
  }

  largest(scope: Scope, by: By, most: number): Promise<{ row: number; value: number }[]> {
    return largest(scope, by, most);
  }

  extensions(scope: Scope): Promise<Group[]> {
    return byExtension(scope);
  }

  ages(scope: Scope): Promise<Group[]> {
    return byAge(scope, this.#deps.now());
  }

  /** Equal files below `span`; kept until the next generation. */
  async duplicates(
    { row, tree }: OpenIndex,
    span: Span,
    minSize: number | undefined,
    signal: AbortSignal,
  ): Promise<DuplicatesFound> {
    requireLocal(tree);
    const least = Math.max(1, minSize ?? DUPLICATES_MIN_SIZE);
    const key = [row.id, tree.meta.generation, span.from, span.to, least].join(':');
    const known = this.#duplicates.get(key);
    if (known !== undefined && !known.truncated) return known;
    const found = await duplicates(
      { tree, ...span, test: undefined, signal },
      { minSize: least, limitMs: DUPLICATES_MS, cacheFile: join(this.#deps.folder, 'digests') },
    );
    this.#duplicates.set(key, found);
    const [oldest] = this.#duplicates.keys();
    if (this.#duplicates.size > KEPT_RESULTS && oldest !== undefined) this.#duplicates.delete(oldest);
    return found;
  }

  /** Equal files of these sizes in all of an index. */
  equalFiles({ tree }: OpenIndex, sizes: readonly number[], signal: AbortSignal): Promise<DuplicatesFound> {
    return duplicates(
      { tree, from: 0, to: tree.meta.nodes - 1, test: undefined, signal },
      { minSize: 1, sizes, limitMs: EQUAL_MS, cacheFile: join(this.#deps.folder, 'digests') },
    );
  }

  /** What grew below `span` since a time, or since the generation before. */
  growth({ row, tree }: OpenIndex, span: Span, since: number | undefined): Promise<GrowthReport> {
    return growthSince(this.#deps.indexes.folderOf(row), tree, span, since);
  }

  /** Sizes that a folder had at earlier scans. */
  history({ row }: OpenIndex, id: number): ReturnType<typeof historyOf> {
    return historyOf(this.#deps.indexes.folderOf(row), id);
  }
}

function marks(tree: Tree, rows: Iterable<number>): Uint8Array {
  const marked = new Uint8Array(tree.meta.nodes);
  for (const row of rows) if (row >= 0) marked[row] = 1;
  return marked;
}

function* pathRows(tree: Tree, paths: Iterable<string>): Generator<number> {
  for (const path of paths) yield rowOfPath(tree, path);
}
