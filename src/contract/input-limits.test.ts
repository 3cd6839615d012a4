import { expect, test } from 'vitest';
import { INPUT_BYTES, inputTooLarge } from './input-limits.ts';

const nested = (depth: number): { value: object } => {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { in: value } : [value];
  return { value };
};

test('counts the bytes of the JSON, not the characters', () => {
  const around = '{"path":""}'.length;
  expect(inputTooLarge({ path: 'x'.repeat(INPUT_BYTES - around) })).toBeUndefined();
  expect(inputTooLarge({ path: 'x'.repeat(INPUT_BYTES - around + 1) })?.code).toBe('invalid_parameter');
  expect(inputTooLarge({ path: 'é'.repeat(INPUT_BYTES / 2) })?.code).toBe('invalid_parameter');
  expect(inputTooLarge({ path: '\0'.repeat(INPUT_BYTES / 6) })?.code).toBe('invalid_parameter');
});

test('objects and lists may be nested 100 levels deep', () => {
  expect(inputTooLarge(nested(99))).toBeUndefined();
  expect(inputTooLarge(nested(100))?.message).toContain('100 levels');
  expect(inputTooLarge(nested(200_000))?.message).toContain('100 levels');
});
