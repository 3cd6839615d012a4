import { expect, test } from 'vitest';
import { inputWords } from './input-words.ts';

test.each([
  ['{"query":"fail","max_bytes":4000}', 'query: fail, max bytes: 4000'],
  ['{"filter":{"ext":"mp4"}}', 'filter: {"ext":"mp4"}'],
  ['{}', 'no input'],
  ['{"query":"cut in the mid', '{"query":"cut in the mid'],
  ['[1]', '[1]'],
])('%s reads %s', (json, words) => {
  expect(inputWords(json)).toBe(words);
});
