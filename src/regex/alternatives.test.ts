import { expect, test } from 'vitest';
import { alternativesOf } from './alternatives.ts';

test.each([
  ['foo|e', ['foo', 'e']],
  ['(?i)foo|bar baz', ['(?i)foo', '(?i)bar baz']],
  ['a\\|b|c', ['a\\|b', 'c']],
  ['[|]x|[^]|]y', ['[|]x', '[^]|]y']],
  ['f(a|b)|g', ['f(a|b)', 'g']],
  ['\\b(foo|bar)\\(', ['\\bfoo\\(', '\\bbar\\(']],
  ['(?:foo|ba(?:r|z))', ['(?:foo)', '(?:ba(?:r|z))']],
  ['(?<name>foo|bar)!', ['foo!', 'bar!']],
])('%s looks for %j', (pattern, expected) => {
  expect(alternativesOf(pattern)).toEqual(expected);
});

test.each([['foo'], ['(foo|bar)+'], ['(a|b)(c|d)'], ['foo|'], ['(?i:foo|bar)'], ['a|b)'], ['[a|b]']])(
  '%s is taken as it is',
  (pattern) => {
    expect(alternativesOf(pattern)).toEqual([pattern]);
  },
);
