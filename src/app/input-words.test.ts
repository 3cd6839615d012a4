import { expect, test } from 'vitest';
import { inputSchema } from '../contract/input.ts';
import { inputWordKeys, inputWords } from './input-words.ts';
import { OPERATIONS } from './operations.ts';

const inputs = OPERATIONS.flatMap((operation) =>
  Object.keys(inputSchema(operation).shape).map((input) => [operation.name, input] as const),
);

test('every input of every operation has words for people', () => {
  expect(inputs.filter(([operation, input]) => inputWords(operation, input) === '')).toEqual([]);
});

test('no words are left over', () => {
  const used = new Set(inputs.flatMap(([operation, input]) => [input, `${operation}.${input}`]));
  expect(inputWordKeys.filter((key) => !used.has(key))).toEqual([]);
});
