import { ownText } from './own-text.ts';
import { splitWords } from './split-words.ts';
import { stem } from './stem.ts';

/** Marks a whole identifier of several words: `=connectionpool` for `ConnectionPool` and `connection_pool`. */
export const WHOLE_MARK = '=';

/** Scripts without spaces between words; their words are found by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** In every thread that reads or searches. */
const MAX_CACHED_IDENTIFIERS = 20_000;
const MAX_WHOLE_LENGTH = 40;

let cache = new Map<string, readonly string[]>();

/** The search terms of one identifier: the stems of its words, and the whole when there are several. */
export function identifierTerms(identifier: string): readonly string[] {
  const cached = cache.get(identifier);
  if (cached !== undefined) return cached;
  const own = ownText(identifier);
  const terms = splitTerms(own);
  if (cache.size >= MAX_CACHED_IDENTIFIERS) cache = new Map();
  cache.set(own, terms);
  return terms;
}

/** {@link identifierTerms} without the cache, for callers that keep the result themselves. */
export function splitTerms(identifier: string): readonly string[] {
  return isAscii(identifier) ? asciiTerms(identifier) : otherTerms(identifier);
}

function asciiTerms(identifier: string): string[] {
  const words = splitWords(identifier);
  const terms = words.map(stem);
  // Longer ones are keys and hashes, which nobody searches for and the index should not contain.
  if (words.length > 1 && identifier.length <= MAX_WHOLE_LENGTH)
    terms.push(WHOLE_MARK + wholeName(identifier));
  return terms;
}

/** An identifier without case and separators, as it follows {@link WHOLE_MARK}. */
export function wholeName(identifier: string): string {
  return identifier.toLowerCase().replace(/[_$-]/g, '');
}

/** Character classes of ASCII: 1 letter, underscore or dollar sign, 2 digit, 0 anything else. */
const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (/[A-Za-z_$]/.test(String.fromCharCode(code))) CLASS[code] = 1;
  else if (code >= 48 && code <= 57) CLASS[code] = 2;
}
const OTHER_LETTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether a character may be part of an identifier or of a word in any script. */
export function isWordCode(code: number): boolean {
  return code < 128 ? CLASS[code] !== 0 : OTHER_LETTER.test(String.fromCharCode(code));
}

/** Calls `visit` with start and end of every identifier, number and word of another script in a text. */
export function eachIdentifier(text: string, visit: (from: number, to: number) => void): void {
  let at = 0;
  while (at < text.length) {
    if (!isWordCode(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const from = at++;
    while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
    visit(from, at);
  }
}

/** Calls `visit` for every term of a text, in order. */
export function eachTerm(text: string, visit: (term: string) => void): void {
  eachIdentifier(text, (from, to) => {
    for (const term of identifierTerms(text.slice(from, to))) visit(term);
  });
}

/** All terms of a text, in order and with repeats. */
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
