import type { ExactSearch } from '../exact/exact-query.ts';

/**
 * A search that includes files with long lines if there are no others: a caller who names a folder of logs means them,
 * although a search of more than that folder leaves them out.
 */
export function withLeftOut(search: ExactSearch, everything: () => Promise<ExactSearch>): ExactSearch {
  let current = search;

  /** Whether there is another search to pull from, after the first one found nothing. */
  async function widened(): Promise<boolean> {
    const { minified = 0 } = search.report.skipped;
    if (current !== search || minified === 0 || search.inScope() > 0) return false;
    current = await everything();
    return true;
  }

  async function* first<T>(pull: (from: ExactSearch) => AsyncGenerator<T>): AsyncGenerator<T> {
    let isEmpty = true;
    for await (const found of pull(current)) {
      isEmpty = false;
      yield found;
    }
    if (isEmpty && (await widened())) yield* pull(current);
  }

  return {
    hits: () => first((from) => from.hits()),
    counts: (urgent) => first((from) => from.counts(urgent)),
    files: () => first((from) => from.files()),
    inScope: () => current.inScope(),
    get report() {
      return current.report;
    },
    plan: () => current.plan(),
  };
}
