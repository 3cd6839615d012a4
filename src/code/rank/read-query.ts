import type { WeightedTerm } from '../words/score-words.ts';
import { splitWords } from '../words/split-words.ts';
import { stem } from '../words/stem.ts';
import { eachTerm, WHOLE_MARK, wholeName } from '../words/terms.ts';

/** What a question asks for: a name, a described thing, or how things work together. */
export type QueryKind = 'symbol' | 'sentence' | 'architecture';

/** A question, parsed once for all signals. */
export interface Query {
  readonly text: string;
  readonly kind: QueryKind;
  /** Terms for the word index, each once. */
  readonly terms: readonly WeightedTerm[];
  /** The single-word terms among them. */
  readonly words: ReadonlySet<string>;
  /** Names written as in code, without case and separators. */
  readonly identifiers: ReadonlySet<string>;
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
/** Inner capitals, underscores, or several capitals before small letters: not an English word. */
const CODE_SHAPED = /[a-z\d][A-Z]|[A-Z]{2,}[a-z]|_|\$/;
const QUOTED = /[`'"]([A-Za-z_$][\w$.:]*)[`'"]/g;
const QUESTION =
  /^(?:how|why|where|when|what|which|explain|describe)\b|\b(?:architecture|lifecycle|life cycle|overall|flow|works?)\b/i;
const PAIR_WEIGHT = 0.5;

/** Words in questions that say nothing about code. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'the a an of to is in and or for this that it as be on with by if are was we you i how does do did what when where which who why from into its their can could using used use uses via between work works working happen happens get gets handle handles handled handling implement implements implemented implementation support supports code way ways they them these those not no each all any has have across within during before after there here one two such so than out up per but only other more most some same like also will would should may might must about find show me at'
    .split(' ')
    .map(stem),
);

/** Parses a question. */
export function readQuery(text: string): Query {
  const all: string[] = [];
  eachTerm(text, (term) => all.push(term));
  const telling = all.filter((term) => !STOP_WORDS.has(term));
  const single = telling.length > 0 ? telling : all;
  const identifiers = identifiersOf(text);
  const terms = new Map<string, number>();
  for (const term of single) terms.set(term, 1);
  for (const pair of pairs(text)) if (!terms.has(pair)) terms.set(pair, PAIR_WEIGHT);
  return {
    text,
    kind: kindOf(text, identifiers),
    terms: [...terms].map(([term, weight]) => ({ term, weight })),
    words: new Set(single.filter((term) => !term.startsWith(WHOLE_MARK))),
    identifiers,
  };
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

function identifiersOf(text: string): Set<string> {
  const found = new Set<string>();
  const names = text.match(IDENTIFIER) ?? [];
  for (const [at, name] of names.entries()) {
    const capitalInside = at > 0 && /^[A-Z]/.test(name);
    if (CODE_SHAPED.test(name) || names.length === 1 || capitalInside) found.add(wholeName(name));
  }
  for (const match of text.matchAll(QUOTED)) {
    const last = match[1]?.split(/[.:]+/).at(-1);
    if (last !== undefined) found.add(wholeName(last));
  }
  return found;
}

function kindOf(text: string, identifiers: ReadonlySet<string>): QueryKind {
  const names = text.match(/[^\s.:]+/g) ?? [];
  if (identifiers.size > 0 && names.length <= Math.max(2, identifiers.size)) return 'symbol';
  return QUESTION.test(text) ? 'architecture' : 'sentence';
}
