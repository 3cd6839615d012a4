import type { Embedder } from '../embed/embedder.ts';
import { VectorWriter } from '../embed/vector-writer.ts';
import type { Vectors } from '../embed/vectors.ts';
import { type DefinitionTokens, definitionTokens, type TokenRows } from '../reader/read-tokens.ts';
import { wholeName } from '../words/terms.ts';
import type { DefinitionUnit } from './definition-units.ts';
import { type DefinitionWords, definitionWords, wordBytes } from './definition-words.ts';

/** The definitions of a file, prepared for questions. */
export interface DefinitionTable {
  readonly units: readonly DefinitionUnit[];
  readonly wholeNames: readonly string[];
  readonly words: DefinitionWords;
  /** The vectors of each unit's head and of its whole text; without them, only words count. */
  readonly vectors?: UnitVectors | undefined;
  /** What the reader reads of each unit; undefined if the model has no table of words. */
  readonly tokens?: readonly DefinitionTokens[] | undefined;
}

export interface UnitVectors {
  readonly head: Vectors;
  readonly text: Vectors;
}

/** Characters of the text of a definition that go into the vector of its head, and into that of all of it. */
const [HEAD_CHARACTERS, TEXT_CHARACTERS] = [600, 8_000];
/** What a unit takes apart from its words and vectors: an object with two names and a signature. */
const UNIT_BYTES = 400;
/** An object with two short arrays. */
const TOKENS_BYTES = 250;
/** Of each number with signs. */
const SIGN_BYTES = 4;

/** Prepares the definitions of a text for questions. */
export async function definitionTable(
  path: string,
  units: readonly DefinitionUnit[],
  lines: readonly string[],
  model: Embedder,
): Promise<DefinitionTable> {
  return {
    units,
    wholeNames: units.map(({ ownName }) => wholeName(ownName)),
    words: definitionWords(units, lines),
    vectors: await unitVectors(units, lines, model),
    tokens: model.tokens && unitTokens(path, units, lines, model.tokens),
  };
}

export function tableBytes({ units, words, vectors, tokens = [] }: DefinitionTable): number {
  const sets = vectors === undefined ? [] : [vectors.head, vectors.text];
  const vectorBytes = sets.reduce(
    (sum, { count, dimensions, factors, signs }) =>
      sum + count * dimensions + factors.byteLength + SIGN_BYTES * signs.length,
    0,
  );
  const tokenBytes = tokens.reduce((sum, one) => sum + one.tokens.byteLength + TOKENS_BYTES, 0);
  return units.length * UNIT_BYTES + wordBytes(words) + vectorBytes + tokenBytes;
}

function unitTokens(
  path: string,
  units: readonly DefinitionUnit[],
  lines: readonly string[],
  table: TokenRows,
): DefinitionTokens[] {
  const text = (from: number, to: number): string => lines.slice(from - 1, to).join('\n');
  return units.map(({ name, ownName, signature, lead, from, end }) =>
    definitionTokens(
      {
        path,
        container: name.slice(0, Math.max(0, name.length - ownName.length)),
        head: `${ownName} ${signature}`,
        comment: text(lead, from - 1),
        body: text(from, end),
      },
      (piece) => table.encode(piece),
    ),
  );
}

/** The vectors of definitions; undefined if the model does not make them at no cost. */
async function unitVectors(
  units: readonly DefinitionUnit[],
  lines: readonly string[],
  model: Embedder,
): Promise<UnitVectors | undefined> {
  const { phrase, dimensions } = model;
  if (phrase === undefined) return undefined;
  const texts = units.map(({ lead, end }) =>
    lines
      .slice(lead - 1, end)
      .join('\n')
      .slice(0, TEXT_CHARACTERS),
  );
  const [head, text] = [new VectorWriter(dimensions), new VectorWriter(dimensions)];
  // The path says the same about all definitions of a file.
  for (const vector of await model.passages('', texts)) text.add(vector);
  for (const { name, signature, lead, from } of units) {
    const comment = lines
      .slice(lead - 1, from - 1)
      .join('\n')
      .slice(0, HEAD_CHARACTERS);
    head.add(phrase(`${name} ${signature} ${comment}`));
  }
  return { head: head.finish(), text: text.finish() };
}
