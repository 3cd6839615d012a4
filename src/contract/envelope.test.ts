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

test('the first line says what share of the files was looked at', () => {
  const indexing = { files: 1_635, of: 118_583, seconds_left: 40 };
  const line = 'Only 1,635 of 118,583 files are indexed yet (about 40 s left); results may be incomplete.';
  expect(text(['a hit'], { indexing })).toBe(`${line}\na hit`);
  expect(text([], { indexing })).toBe(`${line}\n(nothing found)`);
  expect(text([], { indexing: { files: 0, of: 1 } })).toBe(
    'Only 0 of 1 file is indexed yet; results may be incomplete.\n(nothing found)',
  );
  expect(text(['a hit'], { indexing: { done: 4_200, total: 10_000 } })).toBe(
    'Only 42 % is indexed yet; results may be incomplete.\na hit',
  );
  expect(text([], { indexing: {} })).toBe(
    'Not everything is indexed yet; results may be incomplete.\n(nothing found)',
  );
});
