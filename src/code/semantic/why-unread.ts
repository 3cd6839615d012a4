import type { Query } from '../rank/read-query.ts';
import { definers, occurs, type SearchIndex } from './search-index.ts';
import type { SemanticPlan } from './semantic-answer.ts';

/** Without a known word, only the size and fame of files would count. */
export function whyUnread(
  index: SearchIndex,
  { terms, identifiers }: Query,
  vector: Float32Array,
): SemanticPlan['unread'] {
  const isDefined = [...identifiers].some((name) => definers(index, name).length > 0);
  if (isDefined) return undefined;
  if (terms.length === 0) return 'no words';
  const isKnown = vector.some((value) => value !== 0) || terms.some(({ term }) => occurs(index, term));
  return isKnown ? undefined : 'no known word';
}
