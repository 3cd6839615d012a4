import { float64At } from '../../contract/at.ts';
import { similarity } from '../embed/vectors.ts';
import type { DefinitionReader } from '../reader/definition-reader.ts';
import type { ReadQuestion } from '../reader/read-tokens.ts';
import type { WeightedTerm } from '../words/score-words.ts';
import type { DefinitionTable } from './definition-table.ts';
import type { DefinitionUnit } from './definition-units.ts';
import type { DefinitionWeights } from './definition-weights.ts';
import { entriesOf } from './definition-words.ts';

/** A file whose definitions are compared. */
export interface UnitFile {
  /** Of the ranking of files, 0 to 1. */
  readonly score: number;
  /** The chunks of the file that were found, with their worth for the question, best first. */
  readonly chunks: readonly FoundChunk[];
  /** Undefined if the file has no definitions, or there was no time to prepare them. */
  readonly table?: DefinitionTable | undefined;
}

export interface FoundChunk {
  readonly from: number;
  readonly to: number;
  readonly worth: number;
}

/** A question as definitions are compared with it. */
export interface UnitQuestion {
  readonly words: ReadonlySet<string>;
  /** Names without case and separators. */
  readonly identifiers: ReadonlySet<string>;
  readonly vector: Float32Array;
  readonly rarity: (word: string) => number;
  /** Words that code has for what the question says, and their vector. */
  readonly alike?: readonly WeightedTerm[] | undefined;
  readonly alikeVector?: Float32Array | undefined;
  readonly isDescription: boolean;
  /** Reads the first definitions of a description once more, if there is one. */
  readonly reader?: DefinitionReader | undefined;
  readonly tokens?: ReadQuestion | undefined;
}

/** A definition, or a chunk of a file outside its definitions, with its score; scores only compare places of one answer. */
export interface RankedPlace {
  readonly file: number;
  /** The number of the definition in its file. */
  readonly unit?: number | undefined;
  readonly score: number;
}

/** A place with what the reader has to know about it. */
export interface ScoredPlace extends RankedPlace {
  readonly facts?: readonly number[];
  readonly named?: number;
}

/** The two constants of BM25, over lines that have a word. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.6];
const TINY_LINES = 3;
/** Where the number of tokens of a comment stands. */
const COMMENT_PART = 2;
const MAX_LENGTH = 8;
const EPSILON = 1e-6;

/** What the question finds in all definitions, those of one file after those of the file before. */
interface Columns {
  readonly lines: Float64Array;
  /** BM25, with lines as the measure of length. */
  readonly words: Float64Array;
  /** The share of the question that the definition has, and the share that its name has. */
  readonly coverage: Float64Array;
  readonly inName: Float64Array;
  /** How many words of the name are asked for. */
  readonly nameHits: Float64Array;
  readonly head: Float64Array;
  readonly text: Float64Array;
  /** BM25 and similarity by the words that code has for what the question says. */
  readonly alike: Float64Array;
  readonly alikeText: Float64Array;
}

/** The definitions of some files with their scores. Signals that depend on the question are relative to the best one. */
export function scoreDefinitions(
  question: UnitQuestion,
  files: readonly UnitFile[],
  weights: DefinitionWeights,
): ScoredPlace[] {
  const weigh = { ...NO_WEIGHTS, ...weights };
  const columns = measured(question, files);
  const { lines, coverage, inName, nameHits } = columns;
  const [words, alike] = [scaled(columns.words, 0), scaled(columns.alike, 0)];
  const [head, text, alikeText] = [
    aboveMean(columns.head),
    aboveMean(columns.text),
    aboveMean(columns.alikeText),
  ];
  const places: ScoredPlace[] = [];
  let next = 0;
  for (const [file, { score, chunks, table }] of files.entries()) {
    const most = chunks.reduce((best, { worth }) => Math.max(best, worth), 0);
    const least = chunks.reduce((low, { worth }) => Math.min(low, worth), most);
    let isOutside = true;
    for (const [unit, one] of table?.units.entries() ?? []) {
      const at = next++;
      const nameShare = float64At(nameHits, at) / Math.max(1, table?.words.nameLengths[unit] ?? 0);
      const isNamed = question.identifiers.has(table?.wholeNames[unit] ?? '');
      if (chunks[0] !== undefined && overlaps(one, chunks[0])) isOutside = false;
      const chunk = bestChunk(one, chunks, least);
      const name = float64At(inName, at) * nameShare;
      const [exact, tiny] = [isNamed ? 1 : 0, float64At(lines, at) <= TINY_LINES ? 1 : 0];
      const [own, share] = [float64At(words, at), float64At(coverage, at)];
      const [byHead, byText] = [float64At(head, at), float64At(text, at)];
      const [byAlike, byAlikeText] = [float64At(alike, at), float64At(alikeText, at)];
      const sum =
        weigh.file * score +
        weigh.chunk * chunk +
        weigh.words * own +
        weigh.coverage * share +
        weigh.name * name +
        weigh.head * byHead +
        weigh.text * byText +
        weigh.alike * byAlike +
        weigh.alikeText * byAlikeText +
        weigh.exact * exact +
        weigh.tiny * tiny +
        kindWeight(one, weigh);
      const facts = [
        ...[score, chunk, own, share, byHead, byText, byAlike, byAlikeText],
        ...kindFacts(one),
        ...[tiny, Math.log1p(float64At(lines, at)), file / 10, Math.log1p(table?.units.length ?? 0)],
        table?.tokens?.[unit]?.lengths[COMMENT_PART] ? 1 : 0,
      ];
      places.push({ file, unit, score: sum, facts, named: weigh.name * name + weigh.exact * exact });
    }
    if (isOutside) places.push({ file, score: weigh.file * score + weigh.chunk * most });
  }
  return places;
}

function measured(question: UnitQuestion, files: readonly UnitFile[]): Columns {
  const count = files.reduce((sum, { table }) => sum + (table?.units.length ?? 0), 0);
  const column = (): Float64Array => new Float64Array(count);
  const columns: Columns = {
    lines: column(),
    words: column(),
    coverage: column(),
    inName: column(),
    nameHits: column(),
    head: column(),
    text: column(),
    alike: column(),
    alikeText: column(),
  };
  let next = 0;
  for (const { table } of files) {
    for (const { lead, end } of table?.units ?? []) columns.lines[next++] = end - lead + 1;
  }
  const mean = Math.max(1, meanOf(columns.lines));
  const slowness = columns.lines.map(
    (lines) => SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * Math.min(MAX_LENGTH, lines / mean)),
  );
  const asked = [...question.words].map((word) => ({ word, rarity: question.rarity(word) }));
  const total = asked.reduce((sum, { rarity }) => sum + rarity, 0) || 1;
  const alike = (question.alike ?? []).map(({ term, weight }) => ({
    term,
    worth: weight * question.rarity(term),
  }));
  let first = 0;
  for (const { table } of files) {
    if (table === undefined) continue;
    for (const { word, rarity } of asked) addWord(table, word, rarity / total, first, columns, slowness);
    for (const { term, worth } of alike) addAlike(table, term, worth, first, columns.alike, slowness);
    compare(table, question, first, columns);
    first += table.units.length;
  }
  return columns;
}

/** In these loops `?? 0` only pleases the compiler; an accessor that checks the index takes longer. */
function addWord(
  { words }: DefinitionTable,
  word: string,
  weight: number,
  first: number,
  columns: Columns,
  slowness: Float64Array,
): void {
  const [from, to] = entriesOf(words, word);
  for (let entry = from; entry < to; entry++) {
    const at = first + (words.units[entry] ?? 0);
    const count = words.counts[entry] ?? 0;
    columns.coverage[at] = (columns.coverage[at] ?? 0) + weight;
    columns.words[at] = (columns.words[at] ?? 0) + (weight * count) / (count + (slowness[at] ?? 0));
    if (words.named[entry] !== 1) continue;
    columns.inName[at] = (columns.inName[at] ?? 0) + weight;
    columns.nameHits[at] = (columns.nameHits[at] ?? 0) + 1;
  }
}

function addAlike(
  { words }: DefinitionTable,
  term: string,
  worth: number,
  first: number,
  column: Float64Array,
  slowness: Float64Array,
): void {
  const [from, to] = entriesOf(words, term);
  for (let entry = from; entry < to; entry++) {
    const at = first + (words.units[entry] ?? 0);
    const count = words.counts[entry] ?? 0;
    column[at] = (column[at] ?? 0) + (worth * count) / (count + (slowness[at] ?? 0));
  }
}

function compare(
  { units, vectors }: DefinitionTable,
  { vector, alikeVector }: UnitQuestion,
  first: number,
  { head, text, alikeText }: Columns,
): void {
  if (vectors === undefined) return;
  for (let unit = 0; unit < units.length; unit++) {
    head[first + unit] = similarity(vectors.head, unit, vector);
    text[first + unit] = similarity(vectors.text, unit, vector);
    if (alikeVector !== undefined) alikeText[first + unit] = similarity(vectors.text, unit, alikeVector);
  }
}

const NO_WEIGHTS: Required<DefinitionWeights> = {
  file: 0,
  chunk: 0,
  words: 0,
  coverage: 0,
  name: 0,
  exact: 0,
  head: 0,
  text: 0,
  alike: 0,
  alikeText: 0,
  test: 0,
  prototype: 0,
  tiny: 0,
  container: 0,
  value: 0,
};

/** What a definition is, as numbers for the reader. */
function kindFacts({ isTest, isPrototype, kind }: DefinitionUnit): number[] {
  return [isTest, isPrototype, kind === 'container', kind === 'value'].map(Number);
}

function kindWeight(
  { isTest, isPrototype, kind }: DefinitionUnit,
  { test, prototype, container, value }: Required<DefinitionWeights>,
): number {
  const ofKind = kind === 'container' ? container : kind === 'value' ? value : 0;
  return ofKind + (isTest ? test : 0) + (isPrototype ? prototype : 0);
}

function bestChunk(unit: DefinitionUnit, chunks: readonly FoundChunk[], least: number): number {
  let best = least;
  for (const chunk of chunks) if (chunk.worth > best && overlaps(unit, chunk)) best = chunk.worth;
  return best;
}

function overlaps({ lead, end }: DefinitionUnit, { from, to }: FoundChunk): boolean {
  return from <= end && to >= lead;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function aboveMean(values: Float64Array): Float64Array {
  return scaled(values, meanOf(values));
}

/** Values scaled so that `low` becomes 0 and the maximum 1. */
function scaled(values: Float64Array, low: number): Float64Array {
  const top = values.reduce((max, value) => Math.max(max, value), low);
  return values.map((value) => (value - low) / Math.max(EPSILON, top - low));
}
