import { expect, test } from 'vitest';
import { missingDuplicates } from './duplicate-files.ts';

test('what is missing in duplicates, also where the first size was not finished', () => {
  expect(missingDuplicates(2_000_000, false)).toMatch(
    /^duplicates has no files below 2\.0 MB: 10 s were over\. /,
  );
  expect(missingDuplicates(1_000, true)).toMatch(
    /^duplicates has no files below 1\.0 kB: more than 50,000 files\. /,
  );
  expect(missingDuplicates(Number.POSITIVE_INFINITY, false)).toBe(
    "duplicates is incomplete: 10 s were not enough for the largest files alone. Ask again to go on, or name a smaller folder: where path like '/folder/%'.",
  );
});
