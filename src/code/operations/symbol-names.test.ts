import { expect, test } from 'vitest';
import { namesIn } from './symbol-names.ts';

test.each([
  ['A', ['A']],
  ['A, B', ['A', 'B']],
  ['A -> B, C', ['A -> B', 'C']],
  ['f(a, b)', ['f(a, b)']],
  ['a.ts:5-9, 40-60, B, b.go:7, 9', ['a.ts:5-9', 'a.ts:40-60', 'B', 'b.go:7', 'b.go:9']],
  ['A, 7', ['A', '7']],
  ['a.rb:5-9, 40-60; b.rb:7; C', ['a.rb:5-9', 'a.rb:40-60', 'b.rb:7', 'C']],
])('%s asks for %j', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});
