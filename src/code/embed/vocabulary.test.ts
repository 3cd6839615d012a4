import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpanTable } from './span-table.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(['<pad>', '<sep>', 'connect', 'pool', 'http', 'server', 'utf8']);
const ids = (text: string): number[] => [...vocabulary.encode(text)];

describe('the vocabulary', () => {
  it('splits identifiers and leaves out words without meaning', () => {
    expect(ids('the HTTPServer of utf8_pool')).toEqual([4, 5, 6, 3]);
  });

  it('cuts unknown words into known pieces, or hashes them', () => {
    expect(ids('httppool')).toEqual([4, 3]);
    const [bucket] = ids('qqqqqq');
    expect(bucket).toBeGreaterThanOrEqual(7);
    expect(bucket).toBeLessThan(vocabulary.size);
    expect(vocabulary.size).toBe(7 + 512);
  });

  it('gives valid ids for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const id of ids(text)) {
          expect(id).toBeGreaterThanOrEqual(2);
          expect(id).toBeLessThan(vocabulary.size);
        }
      }),
    );
  });
});

describe('the span table', () => {
  it('finds what a map would find, in any case', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (words, asked) => {
        const table = new SpanTable(words);
        const text = `..${asked.toUpperCase()}..`;
        expect(table.find(text, 2, 2 + asked.length)).toBe(words.indexOf(asked));
      }),
    );
  });
});
