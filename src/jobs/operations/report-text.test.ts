import { expect, test } from 'vitest';
import { reportLines } from './report-text.ts';

const style = { units: 'si', zone: 'UTC' } as const;

test('the report of a code index reads as a sentence would', () => {
  expect(reportLines({ files: 1, bytes: 724_300, segments: 1 }, style)).toEqual(['1 file, 724.3 kB']);
});

test('what has no words of its own is shown with its name', () => {
  expect(reportLines({ files: 12, errors: 2, shared: 4_000 }, style)).toEqual([
    '12 files, 2 errors, 4.0 kB shared',
  ]);
});
