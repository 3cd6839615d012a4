import { countText } from '../../../src/contract/people.ts';
import type { Pages } from '../data/use-pages.ts';

/** The end of a list that goes on: how many more there are, and the way to them. */
export function MoreRows<Data, Row>({ pages }: { readonly pages: Pages<Data, Row> }) {
  if (!pages.hasMore) return null;
  const left = pages.total === undefined ? undefined : pages.total - pages.rows.length;
  return (
    <p class="hint-line">
      <button type="button" class="button small" disabled={pages.loading} onClick={pages.more}>
        {left === undefined ? 'Show more' : `Show more of the ${countText(left)} left`}
      </button>
    </p>
  );
}
