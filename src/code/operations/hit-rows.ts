import type { ExactSearch } from '../exact/exact-query.ts';
import type { Hit } from '../exact/hits.ts';

/** A hit as one row of the answer. */
export type HitRow = Hit & { readonly path: string };

/** What is known of the hits so far. */
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

/** The hits one by one; once there are more than fit on a page, all are counted in the background. */
export async function* hitRows(search: ExactSearch, tally: HitTally, limit: number): AsyncGenerator<HitRow> {
  let counting = false;
  for await (const { path, hits } of search.hits()) {
    tally.hits += hits.length;
    for (const hit of hits) yield { path, ...hit };
    if (tally.hits <= limit || counting) continue;
    counting = true;
    setTimeout(() => {
      if (tally.total === undefined)
        // If counting fails, the answer says "at least" instead of a total.
        countHits(search, false).then(
          ({ hits }) => setTotal(tally, hits),
          () => {},
        );
    }, COUNT_AFTER_MS).unref();
  }
  setTotal(tally, tally.hits);
}

function setTotal(tally: HitTally, total: number): void {
  tally.total = total;
}

/** Counts all hits; if the time limit stops it, those that were found by then. */
export async function countHits(
  search: ExactSearch,
  urgent: boolean,
  signal?: AbortSignal,
): Promise<{ hits: number; files: number; truncated?: true }> {
  const count = { hits: 0, files: 0 };
  try {
    for await (const [, hits] of search.counts(urgent)) {
      count.hits += hits;
      count.files++;
    }
  } catch (error) {
    if (signal?.aborted !== true || count.hits === 0) throw error;
    return { ...count, truncated: true };
  }
  return count;
}
