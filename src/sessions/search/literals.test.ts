import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredLiterals } from './literals.ts';
import { regexMatcher } from './matcher.ts';

describe('literals that every match holds', () => {
  test.each([
    ['Cannot find module', ['Cannot find module']],
    ['fail(ed|ure)', ['fail']],
    ['foo|barbaz', ['foo', 'barbaz']],
    ['foo|ba', undefined],
    ['colou?r', ['colo']],
    ['a+bcd{2}e', undefined],
    ['[abc]def', ['def']],
    ['\\bPM_\\w+', ['PM_']],
    ['x{0,3}yyy', ['yyy']],
    ['a.c', undefined],
    ['(?i)abc', ['abc']],
    ['\\.json$', ['.json']],
  ] as const)('%s', (pattern, expected) => {
    expect(requiredLiterals(pattern)).toEqual(expected);
  });

  test('a text that matches holds one of them', () => {
    const atom = fc.constantFrom(
      'abc',
      'd',
      'e+',
      'f?',
      'g*',
      '(hij|k)',
      '[lm]',
      '.',
      'no{2}',
      '\\.',
      'pqr|st',
      '\\w',
    );
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrst. '), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 5 }), word, (atoms, text) => {
        const pattern = atoms.join('');
        const literals = requiredLiterals(pattern);
        if (literals === undefined || !new RegExp(pattern, 'i').test(text)) return;
        expect(literals.some((literal) => text.toLowerCase().includes(literal.toLowerCase()))).toBe(true);
        expect(regexMatcher(pattern).find(text)).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });
});
