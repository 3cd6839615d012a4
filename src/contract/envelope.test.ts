import { expect, test } from 'vitest';
import { render } from './envelope.ts';

const text = (rows: readonly string[], meta: Readonly<Record<string, unknown>>) =>
  render(
    { data: { rows }, pagination: { total_in_page: rows.length, has_more: false }, meta },
    {
      operation: 'search',
      format: 'text',
      style: { units: 'iec', now: 0 },
      text: () => rows.join('\n'),
    },
  ).text;

test('who finds nothing is told so, and what was not looked at', () => {
  expect(text([], {})).toBe('(nothing found)');
  expect(text([], { skipped: { binary: 3, too_large: 1 } })).toBe(
    '(nothing found; files skipped: 3 binary, 1 too large)',
  );
  expect(text(['a hit'], { skipped: { binary: 3 } })).toBe('a hit');
});
