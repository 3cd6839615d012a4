import type { WeightedTerm } from '../words/score-words.ts';
import { splitWords } from '../words/split-words.ts';
import { stem } from '../words/stem.ts';
import { eachTerm, WHOLE_MARK } from '../words/terms.ts';

/** Inner capitals, underscores, or several capitals before small letters: not an English word. */
export const CODE_SHAPED = /[a-z\d][A-Z]|[A-Z]{2,}[a-z]|_|\$/;
const PAIR_WEIGHT = 0.5;

/** Words in questions that say nothing about code. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'the a an of to is in and or for this that it as be on with by if are was we you i how does do did what when where which who why from into its their can could using used use uses via between work works working happen happens get gets handle handles handled handling implement implements implemented implementation support supports code way ways they them these those not no each all any has have across within during before after there here one two such so than out up per but only other more most some same like also will would should may might must about find show me at'
    .split(' ')
    .map(stem),
);

/** The terms of a text for the word index, each once. */
export function termsAsked(text: string): WeightedTerm[] {
  const all: string[] = [];
  eachTerm(text, (term) => all.push(term));
  const telling = all.filter((term) => !STOP_WORDS.has(term));
  const terms = new Map<string, number>();
  for (const term of telling.length > 0 ? telling : all) terms.set(term, 1);
  for (const pair of pairs(text)) if (!terms.has(pair)) terms.set(pair, PAIR_WEIGHT);
  return [...terms].map(([term, weight]) => ({ term, weight }));
}

/** The single words among terms, without names of several words. */
export function wordsAmong(terms: readonly WeightedTerm[]): Set<string> {
  return new Set(terms.map(({ term }) => term).filter((term) => !term.startsWith(WHOLE_MARK)));
}

/** Neighbouring words may be one name in the code, as `connection pool` is `ConnectionPool`. */
function pairs(text: string): string[] {
  const words = splitWords(text);
  const found: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const [left = '', right = ''] = [words[at - 1], words[at]];
    if (!STOP_WORDS.has(stem(left)) && !STOP_WORDS.has(stem(right))) found.push(WHOLE_MARK + left + right);
  }
  return found;
}
