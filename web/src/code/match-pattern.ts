import type { CodeSearch } from './search-state.ts';

/** A pattern that finds the matches in a text, to highlight them; undefined when the browser cannot do it safely. */
export function matchPattern({
  query: asked,
  mode,
  case: letters,
  word,
  fixed,
}: CodeSearch): RegExp | undefined {
  if (mode !== 'regex') {
    const words = (asked.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).slice(0, 12);
    return words.length === 0 ? undefined : new RegExp(words.join('|'), 'giu');
  }
  const query = fixed ? asked.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : asked;
  // An alternative or a quantifier inside a quantified group could hang the browser's engine: highlight nothing.
  if (query.length > 300 || /\([^)]*[*+{|][^)]*\)[*+{]/.test(query)) return undefined;
  const exact =
    letters === 'smart' ? /[A-Z]/.test(query.replace(/\\[A-Za-z]/g, '')) : letters === 'sensitive';
  try {
    return new RegExp(word ? `\\b(?:${query})\\b` : query, exact ? 'gu' : 'giu');
  } catch {
    return undefined;
  }
}
