import { expect, test } from 'vitest';
import { aroundMatch } from './around-match.ts';

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
