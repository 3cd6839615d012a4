import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStaticEmbedder, weightsFolder } from '../embed/static-embedder.ts';
import { DefinitionReader } from './definition-reader.ts';
import { definitionTokens, type ReadDefinition, type TokenRows } from './read-tokens.ts';
import { parseReaderWeights, readReaderWeights } from './reader-weights.ts';

interface Reference {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  readonly definitions: readonly (readonly (readonly number[])[])[];
  readonly scores: readonly number[];
}

const reference: Reference = JSON.parse(
  readFileSync(new URL('../../../model/reader-reference.json', import.meta.url), 'utf8'),
);
const weights = readReaderWeights(weightsFolder());
const { tokens: table } = await openStaticEmbedder();
if (table === undefined) throw new Error('our own model has a table');
const reader = new DefinitionReader(weights, table);

const facts = new Array<number>(17).fill(0);
const definitions = reference.definitions.map(
  (parts): ReadDefinition => ({
    tokens: Uint16Array.from(parts.flat()),
    lengths: Uint8Array.from(parts, (ids) => ids.length),
    facts,
    named: 0,
  }),
);
const question = { ids: reference.ids, weights: reference.weights, alike: [] };

test('definitions are read as they were in training', () => {
  // Alone, a definition has no nearest words beside others: what is left is the same for all three.
  const scores = definitions.map((one) => reader.scores(question, [one])[0] ?? Number.NaN);
  const shift = (scores[0] ?? 0) - (reference.scores[0] ?? 0);
  for (const [number, score] of reference.scores.entries())
    expect((scores[number] ?? 0) - shift).toBeCloseTo(score, 2);
});

test('the same call gives the same scores, also after a larger one', () => {
  const first = reader.scores(question, definitions);
  const many = Array.from({ length: 40 }, () => definitions).flat();
  reader.scores(question, many);
  expect(reader.scores(question, definitions)).toEqual(first);
});

test('a definition without words, and a question without words, are no errors', () => {
  const empty = { tokens: new Uint16Array(), lengths: Uint8Array.of(0, 0, 0, 0), facts, named: 0 };
  for (const score of reader.scores(question, [empty, ...definitions])) expect(score).not.toBeNaN();
  for (const score of reader.scores({ ids: [], weights: [], alike: [] }, definitions))
    expect(score).not.toBeNaN();
});

test('the end of a path and the beginning of a text are read', () => {
  const own = table as TokenRows;
  const words = (count: number): string => Array.from({ length: count }, () => 'socket').join(' ');
  const read = definitionTokens(
    { path: 'a/src/net/socket.ts', container: 'Pool.', head: words(40), comment: words(3), body: words(200) },
    (text) => own.encode(text),
  );
  expect([...read.lengths]).toEqual([4, 16, 3, 56]);
  expect(read.tokens).toHaveLength(79);
});

test('weights that are cut off are refused', () => {
  const whole = readFileSync(`${weightsFolder()}/reader.bin`);
  expect(() => parseReaderWeights(whole.subarray(0, whole.length - 8))).toThrow('another length');
});
