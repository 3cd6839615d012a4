import { expect, test } from 'vitest';
import { definitionTable } from './definition-table.ts';
import type { DefinitionUnit } from './definition-units.ts';
import { DEFINITION_WEIGHTS } from './definition-weights.ts';
import { rankDefinitions } from './rank-definitions.ts';
import type { UnitFile } from './score-definitions.ts';

const unit = (
  ownName: string,
  from: number,
  to: number,
  more: Partial<DefinitionUnit> = {},
): DefinitionUnit => ({
  name: ownName,
  ownName,
  signature: `function ${ownName}()`,
  kind: 'function',
  line: from,
  from,
  to,
  lead: from,
  end: to,
  isTest: false,
  isPrototype: false,
  ...more,
});
const body = (text: string): string[] => ['{', text, 'x', 'x', '}'];
const lines = [...body('read the file'), ...body('close socket'), ...body('close socket')];
/** Only words count with this model. */
const model = { name: 'none', dimensions: 2, passages: () => [], question: () => new Float32Array(2) };
const file = async (score: number, units: readonly DefinitionUnit[]): Promise<UnitFile> => ({
  score,
  chunks: [{ from: 1, to: lines.length, worth: 1 }],
  table: await definitionTable('src/net.c', units, lines, model),
});
const asked = (isDescription: boolean) => ({
  words: new Set(['close', 'socket']),
  identifiers: new Set<string>(),
  vector: new Float32Array(2),
  rarity: () => 1,
  isDescription,
});
const names = (isDescription: boolean, files: readonly UnitFile[]): (string | undefined)[] =>
  rankDefinitions(asked(isDescription), files, DEFINITION_WEIGHTS.hybrid).map(
    (one) => files[one.file]?.table?.units[one.unit ?? -1]?.ownName,
  );

test('prefers the definition with the words, and code to tests and tiny helpers', async () => {
  const units = [
    unit('load', 1, 5),
    unit('finish', 6, 10),
    unit('checks', 11, 15, { isTest: true }),
    unit('tiny', 7, 7),
  ];
  expect(names(true, [await file(0.5, units)])).toEqual(['finish', 'tiny', 'load', 'checks']);
});

test('a long question puts the definition first, a short one the file', async () => {
  const files = [await file(0.6, [unit('load', 1, 5)]), await file(0.5, [unit('finish', 6, 10)])];
  expect(names(true, files)).toEqual(['finish', 'load']);
  expect(names(false, files)).toEqual(['load', 'finish']);
});

test('a file whose best chunk is outside its definitions keeps that chunk as a place', async () => {
  const other = { ...(await file(0.5, [unit('load', 1, 5)])), chunks: [{ from: 12, to: 15, worth: 1 }] };
  expect(names(true, [other])).toContain(undefined);
});
