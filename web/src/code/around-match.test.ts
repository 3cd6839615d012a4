import { expect, test } from 'vitest';
import { aroundMatch, lineOfMatch } from './around-match.ts';

const text = Array.from({ length: 30 }, (_, i) => (i === 20 ? 'a failed request is retried' : `line ${i}`));

test('begins two lines before the best match', () => {
  const part = aroundMatch(text.join('\n'), /failed|request/giu);
  expect(part.skipped).toBe(18);
  expect(part.text.split('\n')).toEqual(text.slice(18, 27));
});

test('a short text, and one without a match, begins at its beginning', () => {
  expect(aroundMatch('a\nb', /b/gu)).toEqual({ text: 'a\nb', skipped: 0 });
  expect(aroundMatch(text.join('\n'), /nowhere/gu).skipped).toBe(0);
  expect(aroundMatch(text.join('\n'), undefined).skipped).toBe(0);
});

test('a match leads to its best line, and to its first without one', () => {
  const match = { line_start: 40, text: text.join('\n'), text_start: 42 };
  expect(lineOfMatch(match, /failed|request/giu)).toBe(62);
  expect(lineOfMatch({ ...match, text_start: undefined }, /failed|request/giu)).toBe(60);
  expect(lineOfMatch(match, /nowhere/gu)).toBe(40);
  expect(lineOfMatch({ line_start: 40 }, /failed/gu)).toBe(40);
});
