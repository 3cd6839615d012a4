import { escapePattern } from '../regex/escape-pattern.ts';
import type { SearchQuery } from '../sessions/search/session-search.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { FoundEvent } from './query-messages.ts';

/** How many matches of `find` become rows. */
export const MAX_FOUND_EVENTS = 20_000;

/** The events that match `find`, newest first, and whether there were more. */
export async function foundEvents(
  { search, list }: Sessions,
  find: string,
  signal: AbortSignal,
): Promise<{ readonly found: readonly FoundEvent[]; readonly cut: boolean }> {
  const found: FoundEvent[] = [];
  const ids = new Map<number, string>();
  for await (const { key, event, turn, ms, type, preview } of search.find(queryOf(find), {}, signal)) {
    if (found.length >= MAX_FOUND_EVENTS) return { found, cut: true };
    const session = ids.get(key) ?? (await list.shortIdOf(key));
    ids.set(key, session);
    found.push({ session, event, turn, ms, type, text: preview });
  }
  return { found, cut: false };
}

/** `/regex/`, or texts with OR between them; a text is a phrase, with or without quotes. */
export function queryOf(find: string): SearchQuery {
  const [, regex] = /^\/(.+)\/$/s.exec(find) ?? [];
  if (regex !== undefined) return { text: regex, regex: true };
  const [only = '', ...others] = alternatives(find);
  return others.length === 0
    ? { text: only, regex: false }
    : { text: [only, ...others].map(escapePattern).join('|'), regex: true };
}

/** The texts separated by the word OR, except inside quotes. */
function alternatives(find: string): readonly string[] {
  const parts = find.match(/(?:"[^"]*"|(?!\sOR\s)[\s\S])+/g) ?? [];
  const texts = parts.map((part) => part.replace(/^\s*OR\s/, '').trim());
  const phrases = texts.map((text) => /^"([^"]+)"$/.exec(text)?.[1] ?? text).filter((text) => text !== '');
  return phrases.length === 0 ? [find] : phrases;
}
