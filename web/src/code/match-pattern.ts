import type { CodeSearch } from './search-state.ts';

/** A pattern that finds the matches in a text, to highlight them; undefined when the browser cannot do it safely. */
export function matchPattern({
  query: asked,
  mode,
  case: letters,
  word,
  fixed,
}: CodeSearch): RegExp | undefined {
  if (mode !== 'regex') return wordPattern(asked);
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

/** Finds the words of a question. */
export function wordPattern(question: string): RegExp | undefined {
  const words = (question.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).slice(0, 12);
  return words.length === 0 ? undefined : new RegExp(words.map(withEndings).join('|'), 'giu');
}

/** A word with its other endings, since the search finds those too: `retried` also marks `retry` and `retries`. */
function withEndings(word: string): string {
  const stem = word.replace(/(?:ies|ied|ing|ed|es|s|y|e)$/iu, '');
  return stem.length >= 4 && /^(?:\p{L}\p{Ll}+|\p{Lu}+)$/u.test(word)
    ? `${stem}(?:ies|ied|ying|ing|ed|es|s|y|e)?`
    : word;
}
