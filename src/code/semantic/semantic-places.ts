import { join } from 'node:path';
import { Lru } from '../../contract/lru.ts';
import { readStart } from '../../contract/open-file.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import { weightsFolder } from '../embed/static-embedder.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import { type DefinitionTable, definitionTable, tableBytes } from '../rank/definition-table.ts';
import type { DefinitionUnit } from '../rank/definition-units.ts';
import { DEFINITION_WEIGHTS } from '../rank/definition-weights.ts';
import { questionWeights } from '../rank/question-weights.ts';
import { rankDefinitions } from '../rank/rank-definitions.ts';
import type { FoundChunk, RankedPlace, UnitQuestion } from '../rank/score-definitions.ts';
import { DefinitionReader } from '../reader/definition-reader.ts';
import { questionTokens } from '../reader/read-tokens.ts';
import { readReaderWeights } from '../reader/reader-weights.ts';
import { foldDiacritics, splitWords } from '../words/split-words.ts';
import { indexableText } from './indexable-text.ts';
import { type SearchIndex, wordRarity } from './search-index.ts';
import type { SemanticQuestion } from './semantic-answer.ts';
import { fromText, loadedIndex, opened } from './semantic-searcher.ts';

/** Which definitions of the best files answer a question? */
export interface PlacesQuestion {
  readonly root: string;
  readonly text: string;
  readonly mode: SemanticQuestion['mode'];
  readonly files: readonly NumberedFile[];
  readonly embedder: EmbedderChoice;
}

/** One of the best files, with the chunks that were found in it, best first. */
export interface NumberedFile {
  readonly path: string;
  readonly score: number;
  readonly chunks: readonly FoundChunk[];
  /** Stands for the definitions that the file has now; undefined if it has none. */
  readonly version: string | undefined;
  /** The definitions, if they were missing before. */
  readonly units?: readonly DefinitionUnit[] | undefined;
}

export interface PlacesAnswer {
  /** Best first, up to three of a file; without a number of a definition, the best chunk of a file outside them. */
  readonly places: readonly RankedPlace[];
  /** Files whose definitions have to be sent; as long as there are any, there are no places. */
  readonly missing: readonly number[];
}

/** Places of one file before the places of others. */
const MAX_PLACES_PER_FILE = 3;
/**
 * After this many milliseconds, the other new files of an answer are prepared for later ones only. A topic is answered
 * well by its files; a description is not, and takes longer anyway.
 */
const PREPARE_MS = { topic: 25, description: 200 };
/** A definition takes about 1.5 kB: two int8 vectors, its words, and its names. */
const MAX_KEPT_BYTES = 32_000_000;

interface KeptTable {
  readonly version: string;
  readonly table: DefinitionTable;
  readonly bytes: number;
}

/** The network that reads definitions, made for the first description. */
let reader: DefinitionReader | undefined;

const kept = new Lru<string, KeptTable>({ weight: { of: ({ bytes }) => bytes, most: MAX_KEPT_BYTES } });

/** The definitions of files that answer a question, best first. */
export async function places(question: PlacesQuestion): Promise<PlacesAnswer> {
  const { root, text, mode, files, embedder } = question;
  const index = loadedIndex(root);
  if (index === undefined) return { places: [], missing: [] };
  const missing = files.flatMap((file, at) => (isMissing(root, file) ? [at] : []));
  if (missing.length > 0) return { places: [], missing };
  const model = await opened(embedder);
  const { query, vector, alike, alikeText = '', alikeVector } = await fromText(index, text, model);
  const until = performance.now() + PREPARE_MS[query.isDescription ? 'description' : 'topic'];
  const late: NumberedFile[] = [];
  const tables: (DefinitionTable | undefined)[] = [];
  for (const file of files) {
    const isLate = performance.now() > until && file.units !== undefined;
    if (isLate) late.push(file);
    tables.push(isLate ? undefined : await tableOf(root, file, embedder));
  }
  if (late.length > 0) prepareLater(root, late, embedder);
  const weights = DEFINITION_WEIGHTS[mode === 'hybrid' && query.isDescription ? 'description' : mode];
  const terms = weights.alike === undefined ? [] : (alike ?? []);
  const isRead = mode === 'hybrid' && query.isDescription && model.tokens !== undefined;
  const asked = {
    words: query.words,
    identifiers: query.identifiers,
    vector,
    rarity: rarities(index, [...query.words, ...terms.map(({ term }) => term)]),
    alike: terms,
    alikeVector: weights.alikeText === undefined ? undefined : alikeVector,
    isDescription: query.isDescription,
    ...(isRead && readingOf(index, text, alikeText, model)),
  };
  const read = files.map(({ score, chunks }, at) => ({ score, chunks, table: tables[at] }));
  return { places: firstPlaces(rankDefinitions(asked, read, weights)), missing };
}

/** The reader, and the question as it reads it. */
function readingOf(
  index: SearchIndex,
  text: string,
  alike: string,
  { tokens }: Embedder,
): Pick<UnitQuestion, 'reader' | 'tokens'> {
  if (tokens === undefined) return {};
  reader ??= new DefinitionReader(readReaderWeights(weightsFolder()), tokens);
  const words = splitWords(foldDiacritics(text));
  return {
    reader,
    tokens: questionTokens(words, questionWeights(index), alike, (word) => tokens.encode(word)),
  };
}

/** At most three places of a file, and at least one of each. */
function firstPlaces(ranked: readonly RankedPlace[]): RankedPlace[] {
  const taken = new Map<number, number>();
  return ranked.filter(({ file }) => {
    const before = taken.get(file) ?? 0;
    taken.set(file, before + 1);
    return before < MAX_PLACES_PER_FILE;
  });
}

function rarities(index: SearchIndex, words: readonly string[]): (word: string) => number {
  const known = new Map(words.map((word) => [word, wordRarity(index, word)]));
  return (word) => known.get(word) ?? 0;
}

function isMissing(root: string, { path, version, units }: NumberedFile): boolean {
  if (version === undefined || units !== undefined) return false;
  return kept.peek(keyOf(root, path))?.version !== version;
}

async function tableOf(
  root: string,
  { path, version, units }: NumberedFile,
  embedder: EmbedderChoice,
): Promise<DefinitionTable | undefined> {
  const key = keyOf(root, path);
  const known = kept.get(key);
  if (version === undefined) return undefined;
  if (known?.version === version) return known.table;
  const text = units && textOf(join(root, path), path);
  if (units === undefined || text === undefined) return undefined;
  const table = await definitionTable(path, units, text.split('\n'), await opened(embedder));
  kept.set(key, { version, table, bytes: tableBytes(table) });
  return table;
}

/** Prepares files one at a time, so that questions in between do not wait for all. */
function prepareLater(root: string, files: readonly NumberedFile[], embedder: EmbedderChoice): void {
  const [first, ...others] = files;
  if (first === undefined) return;
  const next = (): void => prepareLater(root, others, embedder);
  setImmediate(() => tableOf(root, first, embedder).then(next, next));
}

function keyOf(root: string, path: string): string {
  return `${root}\0${path}`;
}

/** The text without its secrets, so that the order of places confirms no guess at one. */
function textOf(place: string, path: string): string | undefined {
  try {
    const read = indexableText(path, readStart(place, 'exact', MAX_FILE_BYTES + 1).bytes);
    return 'text' in read ? read.text : undefined;
  } catch {
    return undefined;
  }
}
