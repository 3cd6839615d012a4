import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEPARATOR } from '../ingest/blocks.ts';
import { lineMatcher, type Matcher, regexMatcher, substringMatcher } from './text-matcher.ts';
import { fold, trigramWords } from './trigrams.ts';

const find = (matcher: Matcher, ...pieces: readonly string[]) =>
  matcher.matches(Buffer.from(pieces.join(SEPARATOR))).map(({ piece, at, length }) => [piece, at, length]);

/** Whether a block with this text is looked at for the query. */
function isCandidate(query: string | undefined, text: string): boolean {
  if (query === undefined) return true;
  const codes = new Set(trigramWords(text).split(' '));
  const expression = query
    .replace(/"(\w+)"/g, (_, code: string) => String(codes.has(code)))
    .replaceAll('AND', '&&')
    .replaceAll('OR', '||');
  return Boolean(new Function(`return ${expression}`)());
}

describe('a substring', () => {
  test('in any case unless it has a capital, also when it is written with escapes', () => {
    expect(find(substringMatcher('eaddrinuse'), 'Error: listen EADDRINUSE')).toEqual([[0, 14, 10]]);
    expect(find(substringMatcher('EADDRINUSE'), 'eaddrinuse', 'EADDRINUSE')).toEqual([[1, 0, 10]]);
    expect(find(substringMatcher('say \\"hi\\"'), 'they say "hi" twice')).toHaveLength(1);
    expect(find(substringMatcher('a\\nb'), 'xa\nby')).toHaveLength(1);
    expect(find(substringMatcher('οδος'), 'η οδος', 'ΟΔΟΣΑ')).toEqual([
      [0, 2, 4],
      [1, 0, 4],
    ]);
  });

  test('the first place in each piece, also where folding changes lengths', () => {
    expect(find(substringMatcher('b'), 'a', 'abb', '', 'B')).toEqual([
      [1, 1, 1],
      [3, 0, 1],
    ]);
    expect(find(substringMatcher('needle'), 'İİ', 'a needle', 'İ needle needle')).toEqual([
      [1, 2, 6],
      [2, 3, 6],
    ]);
  });

  test('finds what a plain search finds, piece by piece', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abAB ß\n'), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.string({ unit: fc.constantFrom(...'abB'), minLength: 1, maxLength: 4 }),
        (pieces, query) => {
          const expected = pieces.flatMap((piece, index) => {
            const at = query.includes('B') ? piece.indexOf(query) : fold(piece).indexOf(query);
            return at < 0 ? [] : [[index, at, query.length]];
          });
          const matcher = substringMatcher(query);
          expect(find(matcher, ...pieces)).toEqual(expected);
          if (expected.length > 0) expect(isCandidate(matcher.blocks, pieces.join(SEPARATOR))).toBe(true);
        },
      ),
    );
  });
});

describe('a regular expression', () => {
  test('is matched line by line, in any case unless it has a capital, and says where', () => {
    expect(find(regexMatcher('^ERR'), 'err', 'ERR', 'x')).toEqual([[1, 0, 3]]);
    expect(find(regexMatcher('err\\W'), 'ERR ')).toEqual([[0, 0, 4]]);
    expect(find(regexMatcher('^err.*code$'), 'x', 'one\nERR with code\ntwo')).toEqual([[1, 4, 13]]);
    expect(find(regexMatcher('one\\s+two'), 'one\n  two')).toEqual([]);
    expect(find(regexMatcher('[äö]+x'), 'grÜße ÄÖX')).toEqual([[0, 6, 3]]);
    expect(find(regexMatcher('a$'), 'ba', 'ab')).toEqual([[0, 1, 1]]);
  });

  test('looks only at blocks that hold what every match holds', () => {
    expect(regexMatcher('a.c').blocks).toBeUndefined();
    expect(regexMatcher('foo|ba').blocks).toBeUndefined();
    expect(isCandidate(regexMatcher('fail(ed|ure)').blocks, 'it FAILED')).toBe(true);
    expect(isCandidate(regexMatcher('fail(ed|ure)').blocks, 'it went well')).toBe(false);
    const atom = fc.constantFrom(
      'abc',
      'd',
      'e+',
      'f?',
      '(hij|k)',
      '[lm]',
      '.',
      'no{2}',
      '\\.',
      'pqr|st',
      '\\w',
    );
    const line = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrst. '), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 5 }), line, (atoms, text) => {
        const pattern = atoms.join('');
        const expected = new RegExp(pattern, 'i').exec(text);
        const matcher = regexMatcher(pattern);
        expect(find(matcher, 'x\n', text)[0]?.[1]).toBe(
          new RegExp(pattern, 'im').exec('x\n')?.index ?? expected?.index,
        );
        if (expected !== null) expect(isCandidate(matcher.blocks, text)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('a wrong one is refused with its reason', () => {
    expect(() => regexMatcher('(')).toThrow(/not a valid regular expression/);
  });

  test('one that would hang others ends at once', () => {
    const start = process.cpuUsage();
    expect(find(regexMatcher('(a+)+$'), `${'a'.repeat(50_000)}!`)).toEqual([]);
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  });
});

test('lines of one text: a pattern, or a text where it is no valid pattern', () => {
  expect(['exit 1', 'Exit 12', 'exit'].filter(lineMatcher('exit \\d$'))).toEqual(['exit 1']);
  expect(['call f(', 'call g'].filter(lineMatcher('f('))).toEqual(['call f(']);
  expect(['FAIL a', 'failed'].filter(lineMatcher('FAIL|no such'))).toEqual(['FAIL a']);
});
