import { OVERLAP_CHARACTERS } from '../ingest/blocks.ts';
import type { SearchScope } from './candidates.ts';
import { type Hit, type SearchIndex, type SearchWork, searchEvents } from './event-search.ts';
import { holds, substringMatcher } from './text-matcher.ts';

/** Whether a text is longer than the overlap of adjacent pieces, so that possibly no piece contains all of it. */
export function isLong(query: string): boolean {
  return query.length > OVERLAP_CHARACTERS;
}

/** Events that contain a long text: found by its beginning, then checked in full. */
export async function* searchLong(
  index: SearchIndex,
  query: string,
  scope: SearchScope,
  signal: AbortSignal,
  work?: SearchWork,
): AsyncGenerator<Hit> {
  // Do not cut inside a character or an escape.
  const beginning = query.slice(0, OVERLAP_CHARACTERS).replace(/(?:[\uD800-\uDBFF]|\\.{0,5})$/, '');
  for await (const hit of searchEvents(index, substringMatcher(beginning), scope, signal, work)) {
    const whole = (await index.texts(hit, hit.event, hit.event)).get(hit.event);
    if (whole !== undefined && holds(whole, query)) yield hit;
  }
}
