import { splitWords } from './split.ts';
import { stem } from './stem.ts';

/** Marks a whole identifier of several words: `=connectionpool` for `ConnectionPool` and `connection_pool`. */
export const WHOLE = '=';

const ASCII_RUN = /[A-Za-z_$][\w$]*|\d{2,4}(?!\w)/g;
const OTHER_RUN = /[\p{L}\p{N}]*[^\p{ASCII}\P{L}][\p{L}\p{N}]*/gu;
/** Scripts written without spaces; their words are found by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const CACHE_LIMIT = 400_000;

let cache = new Map<string, readonly string[]>();

/** The search terms of one identifier: the stems of its words, and the whole when there are several. */
export function identifierTerms(identifier: string): readonly string[] {
  const cached = cache.get(identifier);
  if (cached !== undefined) return cached;
  const words = splitWords(identifier);
  const terms = words.map(stem);
  if (words.length > 1) terms.push(WHOLE + wholeName(identifier));
  if (cache.size >= CACHE_LIMIT) cache = new Map();
  cache.set(identifier, terms);
  return terms;
}

/** An identifier without case and separators, as it stands behind {@link WHOLE}. */
export function wholeName(identifier: string): string {
  return identifier.toLowerCase().replace(/[_$-]/g, '');
}

/** Calls `visit` for every term of a text, in order. */
export function eachTerm(text: string, visit: (term: string) => void): void {
  for (const identifier of text.match(ASCII_RUN) ?? []) {
    for (const term of identifierTerms(identifier)) visit(term);
  }
  if (!isAscii(text)) {
    for (const run of text.match(OTHER_RUN) ?? []) for (const term of otherTerms(run)) visit(term);
  }
}

/** All terms of a text, in order, repeated ones repeated. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
}

function otherTerms(run: string): string[] {
  const word = run.normalize('NFKC').toLowerCase();
  if (!UNSPACED.test(word)) return [stem(word.normalize('NFD').replace(/\p{M}+/gu, '')), word];
  const letters = [...word];
  return letters.length === 1 ? [word] : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
