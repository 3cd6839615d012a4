import { fail, PinholeError } from '../../contract/errors.ts';
import { type Page, page } from '../../contract/operation.ts';
import { countHits, type HitRow } from './hit-rows.ts';
import { narrowPaths } from './narrow-paths.ts';
import type { OneSearchInput } from './regex-input.ts';
import type { FileCount, OneOfSeveral, RegexMatches } from './regex-matches.ts';
import { fileCounts, type PreparedSearch, prepareOne, type SearchContext, shownHits } from './regex-one.ts';
import { mergedMeta } from './search-meta.ts';

/** One row of the answer to several searches: a part of what search number `of` found. */
type SearchRow = { readonly of: number } & (
  | { readonly hit: HitRow }
  | { readonly file: FileCount }
  | { readonly count: { readonly hits: number; readonly files: number } }
  // Found nothing: still one row, so that its heading is shown once.
  | { readonly none: true }
);

/** A search that could not be prepared says why. */
type Prepared = PreparedSearch | { readonly failed: PinholeError };

/** One answer to several searches, each under its own heading; they share its bytes. */
export async function answerSeveral(
  inputs: readonly OneSearchInput[],
  context: SearchContext,
): Promise<Page<never, RegexMatches>> {
  if (inputs.some(({ output }) => output === 'file'))
    fail('invalid_parameter', 'output=file takes one search. Use output=hits, files or count.');
  const searches = await Promise.all(
    inputs.map(async (input): Promise<Prepared> => {
      try {
        return await prepareOne(input, context, inputs.length);
      } catch (error) {
        if (error instanceof PinholeError && !error.retryable) return { failed: error };
        throw error;
      }
    }),
  );
  const working = searches.flatMap((search) => ('failed' in search ? [] : [search]));
  const [first] = searches;
  if (working.length === 0 && first !== undefined && 'failed' in first) throw first.failed;
  return page<SearchRow, RegexMatches>({
    meta: mergedMeta(working),
    rows: fairly(searches.map((search, of) => rowsOf(search, of, context.signal))),
    position: ({ of }) => of,
    shape: (rows) => ({
      searches: inputs.flatMap((input, of) => {
        const own = rows.filter((row) => row.of === of);
        const search = searches[of];
        return own.length === 0 || search === undefined ? [] : [shape(of + 1, input, search, own)];
      }),
    }),
    keep: {
      narrow(row, filters) {
        const search = searches[row.of];
        const path = 'hit' in row ? row.hit.path : 'file' in row ? row.file.path : undefined;
        if (path === undefined || search === undefined || 'failed' in search) return false;
        return narrowPaths(filters, search.treeRoot)(path);
      },
    },
  });
}

/** The results of a search, as rows. */
async function* rowsOf(search: Prepared, of: number, signal: AbortSignal): AsyncGenerator<SearchRow> {
  let found = false;
  if (!('failed' in search)) {
    if (search.input.output === 'count') {
      const { hits, files } = await countHits(search.counts(), signal);
      yield { of, count: { hits, files } };
      return;
    }
    const listsFiles = search.input.output === 'files';
    const counted = listsFiles ? undefined : countInTime(search);
    const rows = listsFiles ? fileCounts(search.counts()) : search.hits();
    for await (const row of rows) {
      if (!found) await counted;
      found = true;
      yield 'line' in row ? { of, hit: row } : { of, file: row };
    }
  }
  if (!found) yield { of, none: true };
}

/** How long the first page of several searches waits for their totals. */
const COUNT_MS = 1_000;

/** Counts what a search finds, because its share of the first page says little. What syntax leaves out is not known. */
async function countInTime({ search, tally, input }: PreparedSearch): Promise<void> {
  if (input.skip?.length) return;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), COUNT_MS).unref());
  const counted = countHits(search.counts(false)).catch(() => undefined);
  const count = await Promise.race([counted, late]);
  if (count !== undefined) tally.total ??= count.hits;
}

/** The next row comes from the search that has had the fewest bytes, so that none pushes the others out. */
async function* fairly(sources: readonly AsyncGenerator<SearchRow>[]): AsyncGenerator<SearchRow> {
  // One row ahead, so that the searches run at the same time.
  const open = sources.map((rows) => ({ rows, bytes: 0, next: ahead(rows) }));
  try {
    while (open.length > 0) {
      const least = open.reduce((a, b) => (b.bytes < a.bytes ? b : a));
      const step = await least.next;
      if (step.done) open.splice(open.indexOf(least), 1);
      else {
        least.bytes += bytesOf(step.value);
        least.next = ahead(least.rows);
        yield step.value;
      }
    }
  } finally {
    // Not awaited: a search ends after the files that it is looking at.
    for (const { rows } of open) rows.return(undefined).catch(() => {});
  }
}

function ahead(rows: AsyncGenerator<SearchRow>): Promise<IteratorResult<SearchRow>> {
  const next = rows.next();
  // The result may never be awaited.
  next.catch(() => {});
  return next;
}

/** Roughly the bytes that a row takes in an answer. */
function bytesOf(row: SearchRow): number {
  if ('hit' in row) return bytesOfHit(row.hit);
  return 'file' in row ? row.file.path.length + LINE_BYTES : LINE_BYTES;
}

export function bytesOfHit({ text, before = [], after = [] }: HitRow): number {
  return [...before, text, ...after].reduce((sum, line) => sum + line.length + LINE_BYTES, 0);
}

/** A line number and what surrounds it. */
const LINE_BYTES = 8;

function shape(
  number: number,
  { pattern, path }: OneSearchInput,
  search: Prepared,
  rows: readonly SearchRow[],
): OneOfSeveral {
  const asked = { number, pattern, path };
  if ('failed' in search) return { ...asked, note: search.failed.message };
  const { root, tally, input } = search;
  const [count] = rows.flatMap((row) => ('count' in row ? [row.count] : []));
  if (count !== undefined)
    return { ...asked, root: count.hits > 0 ? root : undefined, note: search.note(count.hits > 0), count };
  if (rows.some((row) => 'none' in row)) return { ...asked, note: search.note(false) };
  const said = { ...asked, root, note: search.note(true) };
  if (input.output === 'files')
    return { ...said, files: rows.flatMap((row) => ('file' in row ? [row.file] : [])) };
  const hits = rows.flatMap((row) => ('hit' in row ? [row.hit] : []));
  return { ...said, total: tally.total, matches: shownHits(search, hits) };
}
