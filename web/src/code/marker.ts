import type { CodeSearch } from './search-state.ts';

/** What marks the matches in a text; undefined where that cannot be told here. */
export function marker({ query: asked, mode, case: letters, word, fixed }: CodeSearch): RegExp | undefined {
  if (mode !== 'regex') {
    const words = (asked.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).slice(0, 12);
    return words.length === 0 ? undefined : new RegExp(words.join('|'), 'giu');
  }
  const query = fixed ? asked.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : asked;
  // A choice or a quantified group inside a quantified group could take for ever in the browser's engine: no marks then.
  if (query.length > 300 || /\([^)]*[*+{|][^)]*\)[*+{]/.test(query)) return undefined;
  const exact =
    letters === 'smart' ? /[A-Z]/.test(query.replace(/\\[A-Za-z]/g, '')) : letters === 'sensitive';
  try {
    return new RegExp(word ? `\\b(?:${query})\\b` : query, exact ? 'gu' : 'giu');
  } catch {
    return undefined;
  }
}
