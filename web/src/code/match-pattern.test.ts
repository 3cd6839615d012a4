import { expect, test } from 'vitest';
import { matchPattern } from './match-pattern.ts';
import type { CodeSearch } from './search-state.ts';

const search = (changes: Partial<CodeSearch>): CodeSearch => ({
  query: '',
  mode: 'regex',
  folder: '/srv',
  folders: ['/srv'],
  glob: undefined,
  language: undefined,
  word: false,
  multiline: false,
  rev: undefined,
  case: 'smart',
  fixed: false,
  ...changes,
});
const marked = (changes: Partial<CodeSearch>, text: string) => {
  const found = matchPattern(search(changes));
  return found === undefined ? undefined : [...text.matchAll(found)].map(([match]) => match);
};

test('a regular expression highlights its matches, with smart case', () => {
  expect(marked({ query: 'load\\w+' }, 'loadTile LoadMap')).toEqual(['loadTile', 'LoadMap']);
  expect(marked({ query: 'Load\\w+' }, 'loadTile LoadMap')).toEqual(['LoadMap']);
  expect(marked({ query: 'load', word: true }, 'load loads')).toEqual(['load']);
  expect(marked({ query: 'a.b-(', fixed: true }, 'axb-( a.b-(')).toEqual(['a.b-(']);
});

test('a pattern that could hang the browser, or is invalid, highlights nothing', () => {
  expect(matchPattern(search({ query: '(a+)+$' }))).toBeUndefined();
  expect(matchPattern(search({ query: '(a|a)*b' }))).toBeUndefined();
  expect(matchPattern(search({ query: '(unclosed' }))).toBeUndefined();
});

test('a question highlights its words', () => {
  expect(marked({ mode: 'hybrid', query: 'how are retries done' }, 'How RETRIES go')).toEqual([
    'How',
    'RETRIES',
  ]);
});

test('a word of a question also highlights its other endings', () => {
  const text = 'retry RETRIES retried retrying';
  expect(marked({ mode: 'hybrid', query: 'retried' }, text)).toEqual(text.split(' '));
  expect(marked({ mode: 'hybrid', query: 'loadTile' }, 'loadTil loadTiles')).toEqual(['loadTile']);
});
