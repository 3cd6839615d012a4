import type { WeightedTerm } from '../words/score-words.ts';
import { stem } from '../words/stem.ts';
import { wholeName } from '../words/terms.ts';
import { CODE_SHAPED, termsAsked, wordsAmong } from './query-terms.ts';
import { readReport } from './read-report.ts';
import { queryOfReport, type ReportQuery } from './report-query.ts';

/** What a question asks for: a name, a described thing, how things work together, or the cause of a report. */
export type QueryKind = 'symbol' | 'sentence' | 'architecture' | 'report';

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
  /** A name that the question may start with, as in `Mutex and semaphore`; without case and separators. */
  readonly first?: string | undefined;
  /** Whether it describes what one function does, rather than to name a topic. */
  readonly isDescription: boolean;
  /** Only for an issue, a stack trace or similar. */
  readonly report?: ReportQuery | undefined;
}

/** From this many words on, a text is a description, and with a question mark from fewer on. */
const MIN_DESCRIPTION_WORDS = 14;
const MIN_QUESTION_WORDS = 6;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const QUOTED = /[`'"]([A-Za-z_$][\w$.:]*)[`'"]/g;
/** One word with a capital; names of several words are recognised wherever they are. */
const FIRST_NAME = /^[A-Z][a-z]+(?=\W+\w)/;
const QUESTION =
  /^(?:how|why|where|when|what|which|explain|describe)\b|\b(?:architecture|lifecycle|life cycle|overall|flow|works?)\b/i;

/** Parses a question. */
export function readQuery(text: string): Query {
  const report = readReport(text);
  if (report !== undefined) return queryOfReport(text, report);
  const terms = termsAsked(text);
  const identifiers = identifiersOf(text);
  const words = wordsAmong(terms);
  return {
    text,
    kind: kindOf(text, identifiers),
    terms,
    words,
    identifiers,
    first: firstName(text, words),
    isDescription: isDescription(text.trim()),
  };
}

function isDescription(text: string): boolean {
  return text.split(/\s+/).length >= (text.endsWith('?') ? MIN_QUESTION_WORDS : MIN_DESCRIPTION_WORDS);
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

/** The first word, if it starts like a name and is not one of those that questions start with. */
function firstName(text: string, words: ReadonlySet<string>): string | undefined {
  const [name] = FIRST_NAME.exec(text) ?? [];
  return name !== undefined && words.has(stem(name.toLowerCase())) ? wholeName(name) : undefined;
}

function kindOf(text: string, identifiers: ReadonlySet<string>): QueryKind {
  const names = text.match(/[^\s.:]+/g) ?? [];
  if (identifiers.size > 0 && names.length <= Math.max(2, identifiers.size)) return 'symbol';
  return QUESTION.test(text) ? 'architecture' : 'sentence';
}
