import { requireLocal } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { Reports } from '../reports/reports.ts';
import { matchingRows } from '../reports/row-scope.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { type CompiledFilter, compileFilter } from './compile-filter.ts';
import { parseFilter } from './filter-schema.ts';

export interface FiltersDeps {
  readonly reports: Reports;
  readonly now: () => number;
  /** Real paths of files below a root that agent sessions touched, where sessions are indexed. */
  readonly touchedPaths: ((root: string) => Promise<Iterable<string>>) | undefined;
}

/** The rows that passed a filter. */
export interface FoundRows {
  readonly rows: Uint32Array;
  readonly plan: readonly string[];
  readonly ms: number;
}

/** Applies filters, as callers write them, to indexes. */
export class Filters {
  readonly #deps: FiltersDeps;

  constructor(deps: FiltersDeps) {
    this.#deps = deps;
  }

  /** Checks a filter without running it; throws with the place of a mistake. */
  check(filter: unknown): void {
    parseFilter(filter, this.#deps.now());
  }

  /** A test for the rows of a span; undefined if there is no filter. */
  async compile(
    open: OpenIndex,
    { from, to }: Span,
    filter: unknown,
    signal: AbortSignal,
  ): Promise<CompiledFilter | undefined> {
    if (filter === undefined) return undefined;
    const { tree } = open;
    const { touchedPaths, reports, now } = this.#deps;
    const whole = { from: 0, to: tree.meta.nodes - 1 };
    return compileFilter(
      parseFilter(filter, now()),
      { tree, from, to, signal },
      {
        duplicates: async () => {
          const { groups } = await reports.duplicates(open, whole, undefined, signal);
          return marked(
            tree,
            groups.flatMap((group) => group.rows),
          );
        },
        touchedByAgent:
          touchedPaths &&
          (async () => {
            requireLocal(tree);
            const paths = await touchedPaths(tree.meta.root);
            return marked(
              tree,
              Array.from(paths, (path) => rowOfPath(tree, path)),
            );
          }),
      },
    );
  }

  /** The rows of a span that pass a filter. */
  async find(open: OpenIndex, span: Span, filter: unknown, signal: AbortSignal): Promise<FoundRows> {
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
}

/** Marks rows with 1; -1 is a path that is not in the tree. */
function marked(tree: Tree, rows: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(tree.meta.nodes);
  for (const row of rows) if (row >= 0) marks[row] = 1;
  return marks;
}
