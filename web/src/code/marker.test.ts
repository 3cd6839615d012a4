import { expect, test } from 'vitest';
import { marker } from './marker.ts';
import type { CodeSearch } from './search-state.ts';

const search = (changes: Partial<CodeSearch>): CodeSearch => ({
  query: '',
  mode: 'regex',
  folder: '/srv',
  glob: undefined,
  language: undefined,
  word: false,
  case: 'smart',
  fixed: false,
  ...changes,
});
const marked = (changes: Partial<CodeSearch>, text: string) => {
  const found = marker(search(changes));
  return found === undefined ? undefined : [...text.matchAll(found)].map(([match]) => match);
};

test('a regular expression marks its matches, smart about case', () => {
  expect(marked({ query: 'load\\w+' }, 'loadTile LoadMap')).toEqual(['loadTile', 'LoadMap']);
  expect(marked({ query: 'Load\\w+' }, 'loadTile LoadMap')).toEqual(['LoadMap']);
  expect(marked({ query: 'load', word: true }, 'load loads')).toEqual(['load']);
  expect(marked({ query: 'a.b-(', fixed: true }, 'axb-( a.b-(')).toEqual(['a.b-(']);
});

test('what could hang the browser, or is none, marks nothing', () => {
  expect(marker(search({ query: '(a+)+$' }))).toBeUndefined();
  expect(marker(search({ query: '(a|a)*b' }))).toBeUndefined();
  expect(marker(search({ query: '(unclosed' }))).toBeUndefined();
});

test('a question marks its words', () => {
  expect(marked({ mode: 'hybrid', query: 'how are retries done' }, 'How RETRIES go')).toEqual([
    'How',
    'RETRIES',
  ]);
});
