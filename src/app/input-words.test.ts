import { expect, test } from 'vitest';
import { inputJsonSchema } from '../contract/input.ts';
import type { InputField } from './input-text.ts';
import { described } from './input-words.ts';
import { OPERATIONS } from './operations.ts';

test('every input of every operation has a description', () => {
  const missing = OPERATIONS.flatMap((operation) => {
    const fields = (inputJsonSchema(operation).properties ?? {}) as Record<string, InputField>;
    return Object.entries(fields)
      .filter(([name, field]) => described(operation.name, name, field).description === '')
      .map(([name]) => `${operation.name}.${name}`);
  });
  expect(missing).toEqual([]);
});
