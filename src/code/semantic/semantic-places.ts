import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { pathOnDisk } from '../../contract/file-name.ts';
import { Lru } from '../../contract/lru.ts';
import { readStart } from '../../contract/open-file.ts';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import type { DefinitionUnit } from '../rank/definition-units.ts';
import { DEFINITION_WEIGHTS } from '../rank/definition-weights.ts';
import {
  type FoundChunk,
  rankDefinitions,
  type UnitFile,
  type UnitVectors,
} from '../rank/rank-definitions.ts';
import { unitVectors } from '../rank/unit-vectors.ts';
import { indexableText } from './indexable-text.ts';
import { type SearchIndex, wordRarity } from './search-index.ts';
import type { SemanticQuestion } from './semantic-answer.ts';
import { fromText, loadedIndex, opened } from './semantic-searcher.ts';

/** Which definitions of the best files answer a question? */
export interface PlacesQuestion {
  readonly root: string;
  readonly text: string;
  readonly mode: SemanticQuestion['mode'];
  readonly files: readonly PlacesFile[];
  readonly embedder: EmbedderChoice;
}

/** One of the best files, with the chunks that were found in it, best first, and the definitions it has now. */
export interface PlacesFile {
  readonly path: string;
  readonly score: number;
  readonly chunks: readonly FoundChunk[];
  readonly units: readonly DefinitionUnit[];
}

/** A definition, or the best chunk of a file if that is outside its definitions. */
export interface FoundPlace {
  readonly path: string;
  readonly definition?: DefinitionUnit | undefined;
  /** Only compared with other places of the same answer. */
  readonly score: number;
}

interface KeptFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly units: readonly DefinitionUnit[];
  readonly lines: readonly string[];
  readonly vectors: readonly UnitVectors[] | undefined;
}

/** From this many words on, a question describes one function rather than a topic. */
const LONG_QUESTION_WORDS = 12;
/** A definition has two vectors of a kilobyte, and its text. */
const MAX_KEPT_DEFINITIONS = 6_000;
const kept = new Lru<string, KeptFile>({
  weight: { of: ({ units }) => 1 + units.length, most: MAX_KEPT_DEFINITIONS },
});

/** The definitions of files that answer a question, best first. */
export async function places(question: PlacesQuestion): Promise<readonly FoundPlace[]> {
  const { root, text, mode, files, embedder } = question;
  const index = loadedIndex(root);
  if (index === undefined) return [];
  const model = await opened(embedder);
  const { query, vector } = await fromText(index, text, model);
  const read: UnitFile[] = [];
  for (const { path, score, chunks, units } of files) {
    const file = await keptFile(root, path, units, embedder);
    read.push({ path, score, chunks, ...file });
  }
  const asked = {
    words: query.words,
    identifiers: query.identifiers,
    vector,
    rarity: rarities(index, query.words),
    isLong: text.trim().split(/\s+/).length >= LONG_QUESTION_WORDS,
  };
  return rankDefinitions(asked, read, DEFINITION_WEIGHTS[mode]).map(({ file, unit, score }) => ({
    path: read[file]?.path ?? '',
    definition: unit,
    score,
  }));
}

function rarities(index: SearchIndex, words: ReadonlySet<string>): (word: string) => number {
  const known = new Map([...words].map((word) => [word, wordRarity(index, word)]));
  return (word) => known.get(word) ?? 0;
}

async function keptFile(
  root: string,
  path: string,
  units: readonly DefinitionUnit[],
  embedder: EmbedderChoice,
): Promise<Pick<UnitFile, 'lines' | 'units' | 'vectors'>> {
  if (units.length === 0) return { lines: [], units };
  const place = join(root, path);
  const stats = lstatSync(pathOnDisk(place), { throwIfNoEntry: false });
  const key = `${root}\0${path}`;
  const known = kept.get(key);
  const isSame =
    known !== undefined &&
    known.size === stats?.size &&
    known.mtimeMs === stats.mtimeMs &&
    known.units.length === units.length;
  if (isSame) return known;
  const text = textOf(place, path);
  if (text === undefined) return { lines: [], units: [] };
  const lines = text.split('\n');
  const vectors = await unitVectors(units, lines, await opened(embedder));
  const file = { size: stats?.size ?? -1, mtimeMs: stats?.mtimeMs ?? -1, units, lines, vectors };
  kept.set(key, file);
  return file;
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
