import { expect, test } from 'vitest';
import { reportFacts } from './report-facts.ts';

test('a report reads as plain English', () => {
  const report = {
    index_id: 'i2',
    generation: 1,
    files: 122_303,
    disk_size: 5_578_870_784,
    top: [
      { name: 'lib', disk_size: 4_030_951_424 },
      { name: 'share', disk_size: 600_612_864 },
    ],
    rest: { entries: 6, disk_size: 59_748_352 },
    errors: { EACCES: 3 },
    note: 'one file system',
  };
  expect(reportFacts(report).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'files: 122,303',
    'disk size: 5.6 GB',
    'largest: lib 4.0 GB, share 600.6 MB',
    'other: 6 entries 59.7 MB',
    'errors: 3 EACCES',
    'note: one file system',
  ]);
});
