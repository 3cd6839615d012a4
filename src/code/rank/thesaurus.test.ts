import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { weightsFolder } from '../embed/static-embedder.ts';
import { alikeWords, readThesaurus } from './thesaurus.ts';

const small = readThesaurus(
  'discard\tdrop evict purge\ncopied text\tclipboard paste\ntext\tstring\nhow\tway\n',
);
const terms = (question: string) => alikeWords(question, small).terms.map(({ term }) => term);

test('each word is looked up by its stem, and earlier words of an entry count more', () => {
  expect(alikeWords('where is it discarded', small)).toEqual({
    terms: [
      { term: 'drop', weight: 1 },
      { term: 'evict', weight: 1 / 1.1 },
      { term: 'purg', weight: 1 / 1.2 },
    ],
    text: 'drop evict purge',
  });
});

test('a phrase comes before its words, and what the question says itself is left out', () => {
  expect(terms('the copied text')).toEqual(['clipboard', 'past']);
  expect(terms('the text')).toEqual(['string']);
  expect(terms('discard and evict')).toEqual(['drop', 'purg']);
});

test('words that say nothing about code are not looked up', () => {
  expect(alikeWords('how does it work', small)).toEqual({ terms: [], text: '' });
});

test('the shipped entries can be read, each once', () => {
  const text = readFileSync(join(weightsFolder(), 'thesaurus.tsv'), 'utf8');
  const lines = text.trimEnd().split('\n');
  expect(lines.filter((line) => !/^[a-z][a-z' -]*\t[a-z0-9]+( [a-z0-9]+)*$/.test(line))).toEqual([]);
  expect(readThesaurus(text).size).toBe(lines.length);
  expect(alikeWords('discard the oldest entries').terms.map(({ term }) => term)).toContain('evict');
});
