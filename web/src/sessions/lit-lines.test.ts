import { expect, test } from 'vitest';
import { litLines } from './lit-lines.ts';

const TEXT = 'function a() {\n  return 1;\n}\nfunction b() {\n  const known = 2;\n  return known;\n}\n';

test('lines that an edit wrote and that are still there', () => {
  expect([...litLines(TEXT, '@@\n-  return 2;\n+  const known = 2;\n+  return known;')]).toEqual([5, 6]);
});

test('what was changed since stays dark, and brackets alone light up nothing', () => {
  expect([...litLines(TEXT, '+  const known = 2;\n+  return other;')]).toEqual([5]);
  expect([...litLines(TEXT, '+}')]).toEqual([]);
  expect([...litLines(TEXT, '-  return 1;')]).toEqual([]);
});
