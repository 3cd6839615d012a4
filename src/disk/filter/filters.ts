import { requireLocal } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { Reports } from '../reports/reports.ts';
import { matchingRows } from '../reports/row-scope.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { type CompiledFilter, compileFilter } from './compile-filter.ts';
import { type Filter, parseFilter } from './filter-schema.ts';
import { linkMarks } from './link-targets.ts';
import { sizesIn, uniqueMarks } from './unique-files.ts';

export interface FiltersDeps {
  readonly reports: Reports;
  readonly now: () => number;
  /** Where sessions are indexed. */
  readonly touchedPaths: TouchedPaths | undefined;
}

/** Real paths of files below a root that agent sessions touched, or only those that they wrote. */
export type TouchedPaths = (root: string, written: boolean) => Promise<Iterable<string>>;

/** The rows to filter, and the row of the folder that paths and depths count from, if it is not the root. */
interface FilterSpan extends Span {
  readonly base?: number | undefined;
}

/** The rows that passed a filter. */
export interface FoundRows {
  readonly rows: Uint32Array;
  readonly plan: readonly string[];
  readonly ms: number;
  /** True if there was no time to compare the content of all files. */
  readonly truncated: boolean;
}

/** Applies filters, as callers write them, to indexes. */
export class Filters {
  readonly #deps: FiltersDeps;

  constructor(deps: FiltersDeps) {
    this.#deps = deps;
  }

  /** The same filters for a caller that sees only some sessions. */
  seeing(touchedPaths: TouchedPaths): Filters {
    return new Filters({ ...this.#deps, touchedPaths });
  }

  /** Reads a filter without running it; throws with the place of a mistake. */
  parse(filter: unknown): Filter {
    return parseFilter(filter, this.#deps.now());
  }

  /** A test for the rows of a span; undefined if there is no filter. */
  async compile(
    open: OpenIndex,
    { from, to, base }: FilterSpan,
    filter: unknown,
    signal: AbortSignal,
  ): Promise<(CompiledFilter & { readonly truncated: boolean }) | undefined> {
    if (filter === undefined) return undefined;
    const { tree } = open;
    const { touchedPaths, reports, now } = this.#deps;
    const whole = { from: 0, to: tree.meta.nodes - 1 };
    let truncated = false;
    const compiled = await compileFilter(
      parseFilter(filter, now()),
      { tree, from, to, base, signal },
      {
        duplicates: async () => {
          const found = await reports.duplicates(open, whole, undefined, signal);
          truncated ||= found.truncated;
          return marked(
            tree,
            found.groups.flatMap((group) => group.rows),
          );
        },
        unique: async () => {
          requireLocal(tree);
          const found = await reports.equalFiles(open, sizesIn(tree, { from, to }), signal);
          truncated ||= found.truncated;
          return uniqueMarks(tree, { from, to }, found.groups);
        },
        links: async (test) => {
          requireLocal(tree);
          return linkMarks(tree, { from, to }, test, signal);
        },
        touchedByAgent:
          touchedPaths &&
          (async (written) => {
            requireLocal(tree);
            const paths = await touchedPaths(tree.meta.root, written);
            return marked(
              tree,
              Array.from(paths, (path) => rowOfPath(tree, path)),
            );
          }),
      },
    );
    return { ...compiled, truncated };
  }

  /** The rows of a span that pass a filter. */
  async find(open: OpenIndex, span: FilterSpan, filter: unknown, signal: AbortSignal): Promise<FoundRows> {
    const started = performance.now();
    const compiled = await this.compile(open, span, filter, signal);
    const rows = await matchingRows({
      tree: open.tree,
      ...span,
      test: compiled?.test,
      marks: compiled?.marks,
      signal,
    });
    return {
      rows,
      plan: compiled?.plan ?? ['every node'],
      ms: Math.round(performance.now() - started),
      truncated: compiled?.truncated ?? false,
    };
  }
}

/** Marks rows with 1; -1 is a path that is not in the tree. */
function marked(tree: Tree, rows: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(tree.meta.nodes);
  for (const row of rows) if (row >= 0) marks[row] = 1;
  return marks;
}
