import { splitWords } from '../words/split-words.ts';
import { wholeName } from '../words/terms.ts';
import { CODE_SHAPED, termsAsked, wordsAmong } from './query-terms.ts';
import type { Frame } from './read-frames.ts';
import type { Query } from './read-query.ts';
import type { NamedPlace, Report, ReportPart } from './read-report.ts';

/** The part of a question that only a report has. */
export interface ReportQuery {
  readonly title: string;
  /** Lines that say something, for models that read sentences. */
  readonly text: string;
  /** How much each occurrence of a word counts in the vector. */
  readonly weightOf: (word: string) => number;
  /** Names of code in prose and title, and names in a stack trace; without case and separators. */
  readonly names: ReadonlySet<string>;
  readonly traceNames: ReadonlySet<string>;
  readonly places: readonly NamedPlace[];
  readonly frames: readonly Frame[];
  readonly isTrace: boolean;
}

/** How much a word counts by where it is. */
const PART_WEIGHT: Readonly<Record<ReportPart, number>> = {
  title: 3,
  error: 1.2,
  prose: 1,
  code: 0.4,
  frame: 0.3,
  log: 0.1,
};
/** How much repeating a word adds, per doubling. */
const REPEAT = { terms: 0.3, vector: 0.5 } as const;
/** Scoring takes time per term; the last ones of a long report add nothing. */
const MAX_TERMS = 300;
const MIN_NAME_LENGTH = 3;
const NAME = /[A-Za-z_]\w*/g;

/** A report as a question. */
export function queryOfReport(text: string, { lines, places, frames, isTrace }: Report): Query {
  const terms = new Tally();
  const vector = new Tally();
  const counts = new Map<string, number>();
  for (const { part, text: line } of lines) {
    const weight = PART_WEIGHT[part];
    for (const { term, weight: own } of termsAsked(line)) terms.add(term, weight * own);
    for (const word of splitWords(line)) {
      vector.add(word, weight);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const weighted = terms.weights(REPEAT.terms).slice(0, MAX_TERMS);
  const wordWeights = new Map(vector.weights(REPEAT.vector).map(({ term, weight }) => [term, weight]));
  const title = (lines.find(({ part }) => part === 'title') ?? lines[0])?.text ?? '';
  const names = namesIn(lines, title);
  return {
    text,
    kind: 'report',
    terms: weighted,
    words: wordsAmong(weighted),
    identifiers: names.written,
    isDescription: false,
    report: {
      title,
      text: lines.map((line) => line.text).join('\n'),
      weightOf: (word) => (wordWeights.get(word) ?? 1) / (counts.get(word) ?? 1),
      names: names.written,
      traceNames: names.inTrace,
      places,
      frames,
      isTrace,
    },
  };
}

/** Sums weights, so that repeats count less and less. */
class Tally {
  readonly #sums = new Map<string, { most: number; sum: number }>();

  add(term: string, weight: number): void {
    const { most = 0, sum = 0 } = this.#sums.get(term) ?? {};
    this.#sums.set(term, { most: Math.max(most, weight), sum: sum + weight });
  }

  /** The heaviest first. */
  weights(repeat: number): { term: string; weight: number }[] {
    return [...this.#sums]
      .map(([term, { most, sum }]) => ({ term, weight: most * (1 + repeat * Math.log2(sum / most)) }))
      .sort((a, b) => b.weight - a.weight);
  }
}

interface Names {
  /** Written as in code: inner capitals, underscores, quotes, or a bracket after it. */
  readonly written: Set<string>;
  readonly inTrace: Set<string>;
}

function namesIn(lines: Report['lines'], title: string): Names {
  const names: Names = { written: new Set(), inTrace: new Set() };
  for (const { part, text } of lines) {
    for (const match of text.matchAll(NAME)) {
      const name = wholeName(match[0]);
      if (name.length < MIN_NAME_LENGTH) continue;
      if (part === 'frame') names.inTrace.add(name);
      const written = isWritten(match[0], text.slice(0, match.index), text[match.index + match[0].length]);
      if (written && (part === 'prose' || part === 'title' || text === title)) names.written.add(name);
    }
  }
  return names;
}

/** Not a plain word: shaped like a name, quoted, called, or with a capital inside a sentence. */
function isWritten(name: string, before: string, after: string | undefined): boolean {
  if (CODE_SHAPED.test(name) || /[`'"]$/.test(before) || after === '(') return true;
  return /^[A-Z]/.test(name) && before.trim() !== '' && !/[.!?]\s+$/.test(before);
}
