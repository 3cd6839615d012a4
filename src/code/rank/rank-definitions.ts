import { identifierTerms, wholeName } from '../words/terms.ts';
import { eachTermInLine, termsInLine } from '../words/terms-in-line.ts';
import type { DefinitionUnit } from './definition-units.ts';
import { DEFINITION_SIGNALS, type DefinitionSignal, type DefinitionWeights } from './definition-weights.ts';

/** A file whose definitions are compared. */
export interface UnitFile {
  readonly path: string;
  /** Of the ranking of files, 0 to 1. */
  readonly score: number;
  /** The chunks of the file that were found, with their worth for the question. */
  readonly chunks: readonly FoundChunk[];
  readonly lines: readonly string[];
  readonly units: readonly DefinitionUnit[];
  /** The vectors of each unit's head and of its whole text; without them, only words count. */
  readonly vectors?: readonly UnitVectors[] | undefined;
}

export interface FoundChunk {
  readonly from: number;
  readonly to: number;
  readonly worth: number;
}

export interface UnitVectors {
  readonly head: Float32Array;
  readonly text: Float32Array;
}

/** A question as definitions are compared with it. */
export interface UnitQuestion {
  readonly words: ReadonlySet<string>;
  /** Names without case and separators. */
  readonly identifiers: ReadonlySet<string>;
  readonly vector: Float32Array;
  readonly rarity: (word: string) => number;
  readonly isLong: boolean;
}

/** A definition, or a chunk of a file without definitions, with its score; scores only compare places of one answer. */
export interface RankedPlace {
  readonly file: number;
  readonly unit?: DefinitionUnit | undefined;
  readonly score: number;
}

/** One definition or chunk with its signals. */
export interface MeasuredPlace {
  readonly file: number;
  readonly unit?: DefinitionUnit | undefined;
  readonly signals: Readonly<Record<DefinitionSignal, number>>;
}

/** How often the words of the name and of the signature count; those of the other lines count once. */
const [NAME_COUNT, SIGNATURE_COUNT] = [3, 1];
/** The two constants of BM25, over lines that have a word. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.6];
const TINY_LINES = 3;
/** From this many lines on, a definition is less and less one place. */
const LONG_LINES = 30;
const MAX_LENGTH = 8;
const EPSILON = 1e-6;
/** What the whole range of file scores is worth in terms of definition scores, where files keep their order. */
const FILE_SPAN = 10;

/**
 * The definitions of some files, best first. A short question names a topic, whose files are ranked well: they keep
 * their order, and each file's best definition has the rank of its file. A long one describes a function: there the
 * definition counts more than the file.
 */
export function rankDefinitions(
  question: UnitQuestion,
  files: readonly UnitFile[],
  weights: DefinitionWeights,
): RankedPlace[] {
  const places = measureDefinitions(question, files).map(({ file, unit, signals }) => ({
    file,
    unit,
    score: DEFINITION_SIGNALS.reduce((sum, name) => sum + (weights[name] ?? 0) * signals[name], 0),
  }));
  const ranked = question.isLong ? places : inFileOrder(places, files);
  return ranked.sort((a, b) => b.score - a.score || a.file - b.file);
}

function inFileOrder(places: readonly RankedPlace[], files: readonly UnitFile[]): RankedPlace[] {
  const best = new Map<number, number>();
  for (const { file, score } of places) best.set(file, Math.max(best.get(file) ?? score, score));
  return places.map(({ file, unit, score }) => ({
    file,
    unit,
    score: FILE_SPAN * (files[file]?.score ?? 0) + score - (best.get(file) ?? score),
  }));
}

/** The signals of all definitions; those that depend on the question are relative to the best of its candidates. */
export function measureDefinitions(question: UnitQuestion, files: readonly UnitFile[]): MeasuredPlace[] {
  const total = [...question.words].reduce((sum, word) => sum + question.rarity(word), 0) || 1;
  const places = files.flatMap((one, file) => measureFile(question, one, file, total));
  const lengths = places.flatMap(({ unit }) => (unit === undefined ? [] : [linesOf(unit)]));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const measured = places.map((place) => ({ ...place, words: wordScore(place, question, mean, total) }));
  const scaled = {
    words: scaleOf(
      measured.map(({ words }) => words),
      0,
    ),
    head: scaleOf(measured.flatMap(({ unit, head }) => (unit === undefined ? [] : [head]))),
    text: scaleOf(measured.flatMap(({ unit, text }) => (unit === undefined ? [] : [text]))),
  };
  return measured.map(({ file, unit, signals, words, head, text }) => ({
    file,
    unit,
    signals: {
      ...signals,
      words: scaled.words(words),
      head: unit === undefined ? 0 : scaled.head(head),
      text: unit === undefined ? 0 : scaled.text(text),
    },
  }));
}

interface RawPlace {
  readonly file: number;
  readonly unit: DefinitionUnit | undefined;
  /** In how many lines each word of the question is, with extra counts for names. */
  readonly counts: ReadonlyMap<string, number>;
  readonly head: number;
  readonly text: number;
  readonly signals: Readonly<Record<DefinitionSignal, number>>;
}

function measureFile(question: UnitQuestion, one: UnitFile, file: number, total: number): RawPlace[] {
  const { units, vectors, chunks, lines, score } = one;
  const bestChunk = chunks.reduce((best, { worth }) => Math.max(best, worth), 0);
  const least = chunks.reduce((low, { worth }) => Math.min(low, worth), bestChunk);
  const outside: RawPlace = {
    file,
    unit: undefined,
    counts: new Map(),
    head: 0,
    text: 0,
    signals: { ...NO_SIGNALS, file: score, chunk: bestChunk, outside: 1 },
  };
  if (units.length === 0) return [outside];
  const isOutside = !units.some((unit) => chunks[0] !== undefined && overlaps(unit, chunks[0]));
  const found = linesByTerm(lines, question.words);
  const inside = units.map((unit, at): RawPlace => {
    const { counts, inName, nameShare } = countTerms(unit, found, question.words);
    const weightOf = (words: Iterable<string>): number =>
      [...words].reduce((sum, word) => sum + question.rarity(word), 0) / total;
    const around = chunks.filter((chunk) => overlaps(unit, chunk));
    const vector = vectors?.[at];
    const length = linesOf(unit);
    return {
      file,
      unit,
      counts,
      head: vector === undefined ? 0 : dot(vector.head, question.vector),
      text: vector === undefined ? 0 : dot(vector.text, question.vector),
      signals: {
        ...NO_SIGNALS,
        file: score,
        chunk: around.reduce((best, { worth }) => Math.max(best, worth), least),
        coverage: weightOf(counts.keys()),
        name: weightOf(inName) * nameShare,
        exact: question.identifiers.has(wholeName(unit.ownName)) ? 1 : 0,
        test: unit.isTest ? 1 : 0,
        prototype: unit.isPrototype ? 1 : 0,
        tiny: length <= TINY_LINES ? 1 : 0,
        long: Math.max(0, Math.log2(length / LONG_LINES)),
        container: unit.kind === 'container' ? 1 : 0,
        value: unit.kind === 'value' ? 1 : 0,
      },
    };
  });
  return isOutside ? [...inside, outside] : inside;
}

function overlaps({ lead, end }: DefinitionUnit, { from, to }: FoundChunk): boolean {
  return from <= end && to >= lead;
}

const NO_SIGNALS: Readonly<Record<DefinitionSignal, number>> = {
  file: 0,
  chunk: 0,
  words: 0,
  coverage: 0,
  name: 0,
  exact: 0,
  head: 0,
  text: 0,
  test: 0,
  prototype: 0,
  tiny: 0,
  long: 0,
  container: 0,
  value: 0,
  outside: 0,
};

function countTerms(
  { ownName, signature, lead, end }: DefinitionUnit,
  found: ReadonlyMap<string, readonly number[]>,
  asked: ReadonlySet<string>,
): { counts: Map<string, number>; inName: Set<string>; nameShare: number } {
  const counts = new Map<string, number>();
  const add = (word: string, times: number): void => {
    counts.set(word, (counts.get(word) ?? 0) + times);
  };
  for (const [word, lines] of found) {
    const count = countBetween(lines, lead, end);
    if (count > 0) add(word, count);
  }
  for (const word of termsInLine(signature, asked)) add(word, SIGNATURE_COUNT);
  const words = new Set(identifierTerms(ownName).filter((term) => !term.startsWith('=')));
  const inName = new Set([...words].filter((word) => asked.has(word)));
  for (const word of inName) add(word, NAME_COUNT);
  return { counts, inName, nameShare: inName.size / Math.max(1, words.size) };
}

/** The lines that have each term, in order. */
function linesByTerm(lines: readonly string[], asked: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, text] of lines.entries()) {
    eachTermInLine(text, asked, (term) => {
      const own = found.get(term);
      if (own === undefined) found.set(term, [at + 1]);
      else if (own.at(-1) !== at + 1) own.push(at + 1);
    });
  }
  return found;
}

function countBetween(lines: readonly number[], from: number, to: number): number {
  return firstAfter(lines, to) - firstAfter(lines, from - 1);
}

/** The index of the first line after `line`. */
function firstAfter(lines: readonly number[], line: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** BM25, with lines as the measure of length. */
function wordScore({ unit, counts }: RawPlace, question: UnitQuestion, mean: number, total: number): number {
  if (unit === undefined) return 0;
  const length = Math.min(MAX_LENGTH, linesOf(unit) / Math.max(1, mean));
  const slowness = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
  let sum = 0;
  for (const [word, count] of counts) sum += (question.rarity(word) * count) / (count + slowness);
  return sum / total;
}

function linesOf({ lead, end }: DefinitionUnit): number {
  return end - lead + 1;
}

/** Scales values from `low`, or else their mean (0), to their maximum (1). */
function scaleOf(values: readonly number[], low?: number): (value: number) => number {
  const base = low ?? values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const top = values.reduce((max, value) => Math.max(max, value), base);
  return (value) => (value - base) / Math.max(EPSILON, top - base);
}

/** Hundreds of definitions are compared; an accessor that checks the index would take twice as long. */
function dot(a: Float32Array, b: Float32Array): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at < b.length; at += 2) {
    even += (a[at] ?? 0) * (b[at] ?? 0);
    odd += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
  }
  return even + odd;
}
