import { expect, test } from 'vitest';
import { openStaticEmbedder, weightsFolder } from '../embed/static-embedder.ts';
import { DefinitionReader } from '../reader/definition-reader.ts';
import { questionTokens } from '../reader/read-tokens.ts';
import { readReaderWeights } from '../reader/reader-weights.ts';
import { definitionTable } from './definition-table.ts';
import type { DefinitionUnit } from './definition-units.ts';
import { DEFINITION_WEIGHTS } from './definition-weights.ts';
import { rankDefinitions } from './rank-definitions.ts';
import type { RankedPlace, UnitQuestion } from './score-definitions.ts';

const model = await openStaticEmbedder();
const { tokens: table } = model;
if (table === undefined) throw new Error('our own model has a table');
const reader = new DefinitionReader(readReaderWeights(weightsFolder()), table);
const QUESTION = 'Who closes connections that nobody has used for a while?';
const words = QUESTION.toLowerCase().match(/[a-z]+/g) ?? [];

const NAMES = ['openFile', 'parseHeader', 'evictIdle', 'renderTitle', 'hashPassword', 'sortRows'];
const USES = ['disk', 'header', 'connections.close(unused)', 'page', 'secret', 'table'];
/** A file with many functions, six kinds in turn. */
function source(count: number): { lines: string[]; units: DefinitionUnit[] } {
  const lines: string[] = [];
  const units = Array.from({ length: count }, (_, at): DefinitionUnit => {
    const name = NAMES[at % NAMES.length] ?? '';
    const from = lines.length + 1;
    lines.push(
      `function ${name}${at}(value) {`,
      `  const value = ${USES[at % USES.length]};`,
      `  return this.${name}Of(value, ${at});`,
      '}',
    );
    const place = { line: from, from, to: lines.length, lead: from, end: lines.length };
    const own = { name: `${name}${at}`, ownName: `${name}${at}`, signature: '(value)' };
    return { ...own, ...place, kind: 'function', isTest: false, isPrototype: false };
  });
  return { lines, units };
}

async function asked(isRead: boolean): Promise<UnitQuestion> {
  const encode = (word: string): Int32Array => table?.encode(word) ?? new Int32Array();
  return {
    words: new Set(words),
    identifiers: new Set(),
    vector: await model.question(QUESTION),
    rarity: () => 1,
    isDescription: true,
    ...(isRead && { reader, tokens: questionTokens(words, () => 1, '', encode) }),
  };
}

async function ranked(count: number, isRead: boolean): Promise<{ order: string[]; places: RankedPlace[] }> {
  const { lines, units } = source(count);
  const files = [{ score: 1, chunks: [], table: await definitionTable('src/pool.ts', units, lines, model) }];
  const places = rankDefinitions(await asked(isRead), files, DEFINITION_WEIGHTS.description);
  return { order: places.flatMap(({ unit }) => units[unit ?? -1]?.name ?? []), places };
}

test('all definitions are put in the order of the reader; none is lost and scores never rise', async () => {
  const [before, after] = [await ranked(40, false), await ranked(40, true)];
  expect(after.order).not.toEqual(before.order);
  expect([...after.order].sort()).toEqual([...before.order].sort());
  expect(after.order[0]).toMatch(/^evictIdle/);
  const scores = after.places.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test('what is no definition keeps its rank, but not before those that are surely read', async () => {
  const { lines, units } = source(40);
  const table = await definitionTable('src/pool.ts', units, lines, model);
  const files = [
    { score: 1, chunks: [{ from: 1, to: 4, worth: 1 }] },
    { score: 0.5, chunks: [{ from: 1, to: 4, worth: 1 }], table },
  ];
  const places = rankDefinitions(await asked(true), files, DEFINITION_WEIGHTS.description);
  expect(places).toHaveLength(41);
  expect(places.findIndex(({ unit }) => unit === undefined)).toBe(24);
});
