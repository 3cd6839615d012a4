import type { Pages } from '../data/use-pages.ts';
import { countText } from './format.ts';

/** The end of a list that continues: a button that loads more and says how many are left. */
export function MoreRows<Data, Row>({ pages }: { readonly pages: Pages<Data, Row> }) {
  if (!pages.hasMore) return null;
  const left = pages.total === undefined ? undefined : pages.total - pages.rows.length;
  return (
    <p class="hint-line">
      <button type="button" class="button small" disabled={pages.loading} onClick={pages.more}>
        {left === undefined ? 'Show more' : `Show more (${countText(left)} left)`}
      </button>
    </p>
  );
}
