import { join } from 'node:path';
import { historyOf } from '../indexes/growth-files.ts';
import { requireLocal } from '../indexes/index-access.ts';
import type { IndexCatalog, OpenIndex } from '../indexes/index-catalog.ts';
import type { Span } from '../tree/row-spans.ts';
import { duplicates } from './duplicates-thread.ts';
import type { DuplicatesFound } from './find-duplicates.ts';
import { type FolderChanges, folderChanges } from './folder-changes.ts';
import { type GrowthReport, growthSince } from './growth-report.ts';

/** How long one call reads files: less than the time limit of a call, so that it can show what it found. */
const DUPLICATES_MS = 25_000;
export const DUPLICATES_MIN_SIZE = 4_096;
/** How long a clean-up plan may search for copies. */
const EQUAL_FILES_MS = 8_000;
const CACHED_DUPLICATES = 4;

export interface ReportsDeps {
  readonly indexes: IndexCatalog;
  /** Where digests are stored. */
  readonly folder: string;
}

/** The reports that read files besides the tree; reports on the tree alone are functions of a scope. */
export class Reports {
  readonly #indexes: IndexCatalog;
  readonly #digests: string;
  readonly #duplicates = new Map<string, DuplicatesFound>();

  constructor({ indexes, folder }: ReportsDeps) {
    this.#indexes = indexes;
    this.#digests = join(folder, 'digests');
  }

  /** Equal files in a span; cached until the next generation. */
  duplicates(
    open: OpenIndex,
    span: Span,
    minSize: number | undefined,
    signal: AbortSignal,
  ): Promise<DuplicatesFound> {
    return this.duplicatesIn([{ open, span }], minSize, signal);
  }

  /** The same for spans of several indexes, compared with each other. */
  async duplicatesIn(
    parts: readonly { readonly open: OpenIndex; readonly span: Span }[],
    minSize: number | undefined,
    signal: AbortSignal,
    limitMs = DUPLICATES_MS,
  ): Promise<DuplicatesFound> {
    for (const { open } of parts) requireLocal(open.tree);
    const atLeast = Math.max(1, minSize ?? DUPLICATES_MIN_SIZE);
    const spans = parts.map(({ open: { row, tree }, span }) => [
      row.id,
      tree.meta.generation,
      span.from,
      span.to,
    ]);
    const key = [...spans, atLeast].join(':');
    const known = this.#duplicates.get(key);
    if (known !== undefined && !known.truncated) return known;
    const found = await duplicates(
      parts.map(({ open: { tree }, span }) => ({ tree, ...span })),
      { minSize: atLeast, limitMs, cacheFile: this.#digests },
      signal,
    );
    this.#duplicates.set(key, found);
    const [oldest] = this.#duplicates.keys();
    if (this.#duplicates.size > CACHED_DUPLICATES && oldest !== undefined) this.#duplicates.delete(oldest);
    return found;
  }

  /** Equal files of these sizes in a whole index. */
  equalFiles({ tree }: OpenIndex, sizes: readonly number[], signal: AbortSignal): Promise<DuplicatesFound> {
    return duplicates(
      [{ tree, from: 0, to: tree.meta.nodes - 1 }],
      { minSize: 1, sizes, limitMs: EQUAL_FILES_MS, cacheFile: this.#digests },
      signal,
    );
  }

  /** What grew in a span since a time, or since the last scan that somebody asked for. */
  growth({ row, tree }: OpenIndex, span: Span, since: number | undefined): Promise<GrowthReport> {
    return growthSince(this.#indexes.folderOf(row), tree, span, since);
  }

  /** What changed in each folder of a span since a time, or since the last scan that somebody asked for. */
  changes({ row, tree }: OpenIndex, span: Span, since: number | undefined): Promise<FolderChanges> {
    return folderChanges(this.#indexes.folderOf(row), tree, span, since);
  }

  /** The sizes of a folder at earlier scans. */
  history({ row }: OpenIndex, id: number): ReturnType<typeof historyOf> {
    return historyOf(this.#indexes.folderOf(row), id);
  }
}
