import type { ExactSearch } from '../exact/exact-query.ts';
import type { FileHits, Hit } from '../exact/hits.ts';
import { isProse } from '../rank/file-roles.ts';
import { isTestFile } from '../symbols/extract/test-code.ts';
import type { LineFacts } from './file-syntax.ts';
import type { ByteSpan, LineBytes } from './line-bytes.ts';
import type { SyntaxSource } from './syntax-source.ts';

/** Kinds of hits that a search leaves out on request. */
export const SKIPS = [
  'comments',
  'docs',
  'tests',
  'prototypes',
  'definitions',
  'imports',
  'generated',
] as const;
export type Skip = (typeof SKIPS)[number];

/** A hit as one row of the answer. */
export type HitRow = Hit & LineFacts & { readonly path: string; readonly span?: ByteSpan | undefined };

/** How hits are grouped and which of them are left out. */
export interface HitSyntax {
  readonly source: SyntaxSource;
  readonly skip: ReadonlySet<Skip>;
  /** Whether a file was written by a program; called only if such files are left out. */
  readonly generated: (path: string) => Promise<boolean>;
  /** How many milliseconds a page waits for the syntax of its files. */
  readonly wait: number;
  /** Whether a name is one that was searched for. */
  readonly named: (name: string) => boolean;
  /** Where the lines of a file are, if the caller wants to know. */
  readonly bytesOf?: ((path: string) => Promise<LineBytes | undefined>) | undefined;
}

/** What is known about the hits so far. */
export interface HitTally {
  hits: number;
  /** All hits there are; undefined until they are counted. */
  total: number | undefined;
  /** Files on the page that is shown. */
  paths: ReadonlySet<string>;
  /**
   * Lines on the page that had a secret taken out. Lines that are not shown at all are not counted, since their number
   * would let a caller guess at secrets.
   */
  redacted: number;
}

/** Counting the rest starts this long after the first page, so that it does not slow that page down. */
const COUNT_AFTER_MS = 25;
/** If hits are left out by syntax, it is worth waiting for. */
const SKIP_WAIT_MS = 5_000;
/** Files found ahead of the one that is shown, so that all threads that parse have work. */
const FILES_AHEAD = 4;

/** The hits one by one; once there are more than fit on a page, all are counted in the background. */
export async function* hitRows(
  search: ExactSearch,
  tally: HitTally,
  limit: number,
  syntax: HitSyntax,
): AsyncGenerator<HitRow> {
  const skips = syntax.skip.size > 0;
  const wait = skips ? SKIP_WAIT_MS : syntax.wait;
  let counting = false;
  let page = 0;
  for await (const file of withSyntaxAhead(search.hits(), syntax.source)) {
    // Each page may wait this long again.
    if (page === 0 || tally.hits >= page * limit) {
      syntax.source.allow(wait);
      page = Math.floor(tally.hits / limit) + 1;
    }
    const rows = await rowsOf(file, syntax);
    tally.hits += rows.length;
    yield* rows;
    // Counting does not look at syntax: what is left out is known only once all rows have been seen.
    if (tally.hits <= limit || counting || skips) continue;
    counting = true;
    setTimeout(() => {
      if (tally.total === undefined)
        // If counting fails, the answer says "at least" instead of a total.
        countHits(search.counts(false)).then(
          ({ hits }) => setTotal(tally, hits),
          () => {},
        );
    }, COUNT_AFTER_MS).unref();
  }
  setTotal(tally, tally.hits);
}

/** The hits of some lines of a file that are not left out. */
async function rowsOf({ path, hits }: FileHits, syntax: HitSyntax): Promise<HitRow[]> {
  if (syntax.skip.has('docs') && isProse(path)) return [];
  if (syntax.skip.has('generated') && (await syntax.generated(path))) return [];
  const known = await syntax.source.of(path);
  const bytes = await syntax.bytesOf?.(path);
  const testFile = known === undefined && isTestFile(path) ? { test: true as const } : {};
  const rows: HitRow[] = [];
  for (const hit of hits) {
    const facts = known?.facts(hit.line, syntax.named) ?? testFile;
    if (isSkipped(facts, syntax.skip)) continue;
    // Where a line with a secret ends would reveal how long the secret is.
    const span = hit.redacted ? undefined : bytes?.(hit.line, hit.line);
    rows.push({ path, ...hit, ...facts, ...(span && { span }) });
  }
  return rows;
}

function isSkipped({ kind, test }: LineFacts, skip: ReadonlySet<Skip>): boolean {
  return (
    (test === true && skip.has('tests')) ||
    (kind === 'comment' && skip.has('comments')) ||
    (kind === 'prototype' && skip.has('prototypes')) ||
    (kind === 'definition' && skip.has('definitions')) ||
    (kind === 'import' && skip.has('imports'))
  );
}

/** Finds the next files while the caller is busy with one, and starts reading their syntax. */
async function* withSyntaxAhead(
  files: AsyncGenerator<FileHits>,
  source: SyntaxSource,
): AsyncGenerator<FileHits> {
  const pull = async () => {
    const step = await files.next();
    if (!step.done) source.start(step.value.path);
    return step;
  };
  const coming: ReturnType<typeof pull>[] = [];
  try {
    for (;;) {
      while (coming.length <= FILES_AHEAD) {
        const next = pull();
        // The result may never be awaited.
        next.catch(() => {});
        coming.push(next);
      }
      const step = await coming.shift();
      if (step === undefined || step.done) return;
      yield step.value;
    }
  } finally {
    // Not awaited: it ends only after the files that are being searched.
    files.return(undefined).catch(() => {});
  }
}

function setTotal(tally: HitTally, total: number): void {
  tally.total = total;
}

/** The number of hits per file that are not left out, in path order. */
export async function* countsBySyntax(
  search: ExactSearch,
  syntax: HitSyntax,
): AsyncGenerator<readonly [path: string, hits: number]> {
  let open: { readonly path: string; hits: number } | undefined;
  syntax.source.allow(SKIP_WAIT_MS);
  for await (const file of withSyntaxAhead(search.hits(), syntax.source)) {
    const { length } = await rowsOf(file, syntax);
    if (open?.path === file.path) open.hits += length;
    else {
      if (open !== undefined && open.hits > 0) yield [open.path, open.hits];
      open = { path: file.path, hits: length };
    }
  }
  if (open !== undefined && open.hits > 0) yield [open.path, open.hits];
}

/** Adds up all hits; if the time limit stops it, those that were found by then. */
export async function countHits(
  counts: AsyncIterable<readonly [path: string, hits: number]>,
  signal?: AbortSignal,
): Promise<{ hits: number; files: number; truncated?: true }> {
  const count = { hits: 0, files: 0 };
  try {
    for await (const [, hits] of counts) {
      count.hits += hits;
      count.files++;
    }
  } catch (error) {
    if (signal?.aborted !== true || count.hits === 0) throw error;
    return { ...count, truncated: true };
  }
  return count;
}
