import { expect, test } from 'vitest';
import { openStaticEmbedder, weightsFolder } from '../embed/static-embedder.ts';
import { DefinitionReader } from '../reader/definition-reader.ts';
import { questionTokens } from '../reader/read-tokens.ts';
import { readReaderWeights } from '../reader/reader-weights.ts';
import { definitionTable } from './definition-table.ts';
import type { DefinitionUnit } from './definition-units.ts';
import { DEFINITION_WEIGHTS } from './definition-weights.ts';
import { rankDefinitions } from './rank-definitions.ts';
import type { RankedPlace } from './score-definitions.ts';

const model = await openStaticEmbedder();
const { tokens: table } = model;
if (table === undefined) throw new Error('our own model has a table');
const reader = new DefinitionReader(readReaderWeights(weightsFolder()), table);
const QUESTION = 'Who closes connections that nobody has used for a while?';
const words = QUESTION.toLowerCase().match(/[a-z]+/g) ?? [];

const NAMES = ['openFile', 'parseHeader', 'evictIdle', 'renderTitle', 'hashPassword', 'sortRows'];
/** A file with many functions, six kinds in turn. */
function source(count: number): { lines: string[]; units: DefinitionUnit[] } {
  const lines: string[] = [];
  const units = Array.from({ length: count }, (_, at): DefinitionUnit => {
    const name = NAMES[at % NAMES.length] ?? '';
    const from = lines.length + 1;
    lines.push(
      `function ${name}${at}(value) {`,
      '  const now = clock();',
      `  return this.${name}Of(value, now, ${at});`,
      '}',
    );
    const place = { line: from, from, to: lines.length, lead: from, end: lines.length };
    const own = { name: `${name}${at}`, ownName: `${name}${at}`, signature: '(value)' };
    return { ...own, ...place, kind: 'function', isTest: false, isPrototype: false };
  });
  return { lines, units };
}

async function ranked(count: number, isRead: boolean): Promise<{ order: string[]; places: RankedPlace[] }> {
  const { lines, units } = source(count);
  const files = [{ score: 1, chunks: [], table: await definitionTable('src/pool.ts', units, lines, model) }];
  const question = {
    words: new Set(words),
    identifiers: new Set<string>(),
    vector: await model.question(QUESTION),
    rarity: () => 1,
    isDescription: true,
    ...(isRead && {
      reader,
      tokens: questionTokens(
        words,
        () => 1,
        '',
        (word) => table?.encode(word) ?? new Int32Array(),
      ),
    }),
  };
  const places = rankDefinitions(question, files, DEFINITION_WEIGHTS.description);
  return { order: places.flatMap(({ unit }) => units[unit ?? -1]?.name ?? []), places };
}

test('only the first definitions change places; none is lost and scores never rise', async () => {
  const [before, after] = [await ranked(40, false), await ranked(40, true)];
  const read = 24;
  expect(new Set(after.order.slice(0, read))).toEqual(new Set(before.order.slice(0, read)));
  expect(after.order.slice(read)).toEqual(before.order.slice(read));
  const scores = after.places.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});
