import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdentifierTable } from './identifier-table.ts';
import { packTexts, unpackText } from './packed-texts.ts';
import { PostingReader } from './posting-reader.ts';
import { splitWords } from './split-words.ts';
import { stem } from './stem.ts';
import { eachIdentifier, termsOf } from './terms.ts';
import { termsInLine } from './terms-in-line.ts';
import { commentLines } from './word-fields.ts';
import { WordIndexBuilder } from './word-index.ts';

describe('splitting', () => {
  it.each([
    ['HTTPServer', ['http', 'server']],
    ['parseURLs', ['parse', 'urls']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['utf8 sha256 base64url', ['utf8', 'sha256', 'base64', 'url']],
    ['x12345 99 7', ['99']],
    ['getElementById', ['get', 'element', 'by', 'id']],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

describe('stems', () => {
  it.each([
    ['cache', 'caches', 'cached', 'caching'],
    ['route', 'router', 'routes', 'routing', 'routed'],
    ['serialize', 'serializer', 'serialization', 'serializing', 'serialized'],
    ['validate', 'validator', 'validation', 'validating'],
    ['connect', 'connection', 'connector', 'connections'],
    ['query', 'queries'],
    ['run', 'running'],
  ])('%s and its family meet', (...family) => {
    expect(new Set(family.map(stem)).size).toBe(1);
  });

  it.each(['class', 'status', 'this', 'string', 'bus', 'ring', 'bed', 'order', 'error', 'action'])(
    '%s stays',
    (word) => {
      expect(stem(word)).toBe(word);
    },
  );
});

describe('terms', () => {
  it('has the parts of a name and the name', () => {
    expect(termsOf('ConnectionPool.get_all()')).toEqual([
      'connect',
      'pool',
      '=connectionpool',
      'get',
      'all',
      '=getall',
    ]);
  });

  it('reads other scripts: words with marks, pairs of characters where no spaces are', () => {
    expect(termsOf('größe')).toEqual(['groß', 'größe']);
    expect(termsOf('キャッシュ')).toEqual(['キャ', 'ャッ', 'ッシ', 'シュ']);
    expect(termsOf('файлы')).toContain('файлы');
  });

  it('finds identifiers where a regular expression would', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), (text) => {
        const found: string[] = [];
        eachIdentifier(text, (from, to) => found.push(text.slice(from, to)));
        expect(found).toEqual(text.match(/[\w$]+/g) ?? []);
      }),
    );
  });
});

describe('terms of a line', () => {
  const words = [
    'connectionPool',
    'CONNECTION_POOL',
    'routing',
    '$router',
    'utf8',
    'naïve',
    'naive',
    'ab',
    '接続',
    'a_bCd',
  ];
  const line = fc
    .array(fc.oneof(fc.constantFrom(...words, ' ', '.'), fc.string()))
    .map((parts) => parts.join(''));

  it('are all that were asked for', () => {
    fc.assert(
      fc.property(line, line, (text, question) => {
        const asked = new Set(termsOf(question));
        const found = termsOf(text).filter((term) => asked.has(term));
        expect(termsInLine(text, asked)).toEqual(new Set(found));
      }),
    );
  });
});

describe('the identifier table', () => {
  it('numbers like a map, through growth', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 300 }), (names) => {
        const table = new IdentifierTable();
        const map = new Map<string, number>();
        for (const name of names) {
          if (!map.has(name)) map.set(name, map.size);
          expect(table.number(`<${name}>`, 1, 1 + name.length)).toBe(map.get(name));
        }
        expect(table.size).toBe(map.size);
      }),
    );
    const table = new IdentifierTable();
    for (let at = 0; at < 70_000; at++) expect(table.number(`name${at}`, 0, `name${at}`.length)).toBe(at);
    expect(table.number('name69999', 0, 9)).toBe(69_999);
  });
});

describe('postings', () => {
  it('come back as they were written', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 40 }), { maxLength: 200 }), (chunks) => {
        const builder = new WordIndexBuilder();
        const expected = new Map<string, [number, number][]>();
        for (const [chunk, words] of chunks.entries()) {
          builder.countText(words.join(' '), false);
          expect(builder.flush(chunk)).toBe(words.length);
          for (const one of new Set(words)) {
            const count = Math.min(31, words.filter((other) => other === one).length);
            expected.set(stem(one), [...(expected.get(stem(one)) ?? []), [chunk, count]]);
          }
        }
        const reader = new PostingReader(builder.finish());
        for (const [term, postings] of expected) {
          const known = reader.find(term);
          if (known === undefined) throw new Error(`${term} is missing`);
          const found: [number, number][] = [];
          reader.each(known, { body: 1, comment: 0, signature: 0, symbol: 0 }, (owner, count) =>
            found.push([owner, count]),
          );
          expect(found).toEqual(postings);
          expect(known.frequency).toBe(postings.length);
        }
        expect(reader.find('absent')).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('come back from lists that are long and far apart', () => {
    const builder = new WordIndexBuilder();
    const chunks = Array.from({ length: 5_000 }, (_none, at) => at * 300 + (at % 7));
    for (const chunk of chunks) {
      builder.countText(chunk % 3 === 0 ? 'pool queue' : 'pool', true);
      builder.flush(chunk);
    }
    const reader = new PostingReader(builder.finish());
    const owners = (term: string) => {
      const found: number[] = [];
      const known = reader.find(term);
      if (known !== undefined) reader.owners(known, (owner) => found.push(owner));
      return found;
    };
    expect(owners('pool')).toEqual(chunks);
    expect(owners('queu')).toEqual(chunks.filter((chunk) => chunk % 3 === 0));
  });

  it('weigh the fields of a term', () => {
    const builder = new WordIndexBuilder();
    builder.countText('pool', true);
    builder.countText('pool', false);
    builder.count(builder.id('pool'), 3);
    builder.flush(200);
    const reader = new PostingReader(builder.finish());
    const found: [number, number][] = [];
    const weights = { body: 1, comment: 10, signature: 100, symbol: 1000 };
    const pool = reader.find('pool');
    if (pool !== undefined) reader.each(pool, weights, (owner, weight) => found.push([owner, weight]));
    expect(found).toEqual([[200, 1012]]);
  });
});

describe('packed texts', () => {
  it('come back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const packed = packTexts(texts);
        expect(texts.map((_, at) => unpackText(packed, at))).toEqual(texts);
      }),
    );
  });
});

describe('comment lines', () => {
  it('knows line comments, blocks and doc strings', () => {
    const lines = [
      '// a',
      'code()',
      '/*',
      ' inside',
      '*/',
      'x = 1',
      '"""doc',
      'string',
      '"""',
      '#define X',
      '# shell',
    ];
    expect([...commentLines(lines, 'python')]).toEqual([1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]);
  });
});
