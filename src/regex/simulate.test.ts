import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMatcher } from './matcher.ts';

describe('lines with gaps', () => {
  /** Gaps are written as runs of `#`. */
  const around = (pattern: string, line: string) =>
    createMatcher({ pattern, insensitive: false, word: false, fixed: false }).testAround(
      Buffer.from(line),
      [...line.matchAll(/#+/g)].map(({ index, 0: { length } }) => ({ start: index, end: index + length })),
    );

  test.each([
    ['key', 'key = "##"'],
    ['key = ".*"', 'key = "##"'],
    ['key = "[^"]+"', 'key = "##"'],
    ['key = \\S+;', 'key = ##;'],
    ['^.*$', '##'],
    ['^', '##'],
    ['a.*b.*c', 'a##b##c'],
    ['(?:x|.)*;', 'k=##;'],
  ])('%s matches %s, whatever is in the gap', (pattern, line) => {
    expect(around(pattern, line)).toBe(true);
  });

  test.each([
    ['#', '##'],
    ['.', '##'],
    ['\\w', '##'],
    ['a.b', 'a#b'],
    ['a.{1,9}b', 'a##b'],
    ['a..+b', 'a##b'],
    ['a\\w*b', 'a##b'],
    ['a[^x]*b', 'a##b'],
    ['a$', 'a##'],
    ['^b', '##b'],
    ['a\\B', 'a##'],
    ['a\\b', 'a##'],
    ['=\\b', '=##'],
    ['\\b=', '##='],
  ])('%s does not match %s, since that would depend on the gap', (pattern, line) => {
    expect(around(pattern, line)).toBe(false);
  });

  test('what matches around a gap matches with any word in it', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '.*',
      '\\w+',
      '[^"]*',
      '\\S+',
      '[ab]',
      'a?',
      '.+',
      '(?:a|.*b)',
      '\\b',
      '\\B',
      '^',
      '$',
    );
    const word = fc.stringMatching(/^[!#-&(-[\]-_a-~]{1,6}$/);
    const known = fc.stringMatching(/^[ab]{0,3}$/);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        known,
        known,
        word,
        (parts, left, right, inside) => {
          const pattern = parts.join('');
          if (!around(pattern, `${left}##${right}`)) return;
          const line = Buffer.from(left + inside + right);
          const matcher = createMatcher({ pattern, insensitive: false, word: false, fixed: false });
          expect(matcher.test(line, 0, line.length), `${pattern} on ${line}`).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
