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
/** Whole numbers of 16 bits instead of floats. */
const TOLERANCE = 0.02;
const question = { ids: reference.ids, weights: reference.weights, alike: [] };

test('definitions are read as they were in training', () => {
  // Alone, a definition has no nearest words beside others: what is left is the same for all three.
  const scores = definitions.map((one) => reader.scores(question, [one])[0] ?? Number.NaN);
  const shift = (scores[0] ?? 0) - (reference.scores[0] ?? 0);
  for (const [number, score] of reference.scores.entries())
    expect(Math.abs((scores[number] ?? 0) - shift - score)).toBeLessThan(TOLERANCE);
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

test('the end of a path and the beginning of a text are read, each word of a body once', () => {
  const own = table as TokenRows;
  const encode = (text: string): Int32Array => own.encode(text);
  const words = (count: number): string => Array.from({ length: count }, () => 'socket').join(' ');
  const texts = { path: 'a/src/net/socket.ts', container: 'Pool.', head: words(40), comment: words(3) };
  const read = definitionTokens({ ...texts, body: `${words(200)} timeout ${words(9)}` }, encode);
  expect([...read.lengths]).toEqual([4, 16, 3, 2]);
  expect([...read.tokens.slice(-2)]).toEqual([...encode('socket timeout')]);
  const many = ['open', 'close', 'read', 'write', 'idle', 'pool', 'file', 'line', 'page'];
  const pairs = many.flatMap((one) => many.map((other) => `${one}${other}`)).join(' ');
  expect(definitionTokens({ ...texts, body: `${pairs}` }, encode).lengths[3]).toBeLessThanOrEqual(64);
});

test('what is unlikely by facts and nearest words is not read, and comes last in that order', () => {
  const one = definitions[0];
  if (one === undefined) throw new Error('the reference has definitions');
  const many = Array.from({ length: 50 }, (_, at) => ({ ...one, named: -at }));
  const scores = [...reader.scores(question, many)];
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  expect(order).toEqual(many.map((_, at) => at));
  expect((scores[31] ?? 0) - (scores[32] ?? 0)).toBeCloseTo(0, 5);
});

test('weights that are cut off are refused', () => {
  const whole = readFileSync(`${weightsFolder()}/reader.bin`);
  expect(() => parseReaderWeights(whole.subarray(0, whole.length - 8))).toThrow('another length');
});
