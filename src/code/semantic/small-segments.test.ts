import { expect, test } from 'vitest';
import { smallSegments } from './small-segments.ts';

const times = (count: number, files: number, textBytes = 10 * files) =>
  Array.from({ length: count }, () => ({ files, textBytes }));

test('few segments stay as they are', () => {
  expect(smallSegments(times(64, 1))).toEqual([]);
});

test('what edits leave behind is joined, the largest segments stay', () => {
  const found = smallSegments([...times(16, 400), ...times(49, 1)]);
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 49 }, (_none, at) => 16 + at));
});

test('the segments of a large tree are not read again after every edit', () => {
  expect(smallSegments([...times(70, 8000), ...times(1, 1)])).toEqual([]);
  expect(smallSegments([...times(70, 8000), ...times(47, 1)])).toEqual([]);
  expect(smallSegments([...times(70, 8000), ...times(48, 1)])).toHaveLength(48);
  expect(smallSegments([...times(70, 900, 24e6), ...times(40, 1)])).toEqual([]);
});

test('a build joins the small segments that searches made meanwhile, if there are some', () => {
  const built = times(70, 900, 12e6);
  expect(smallSegments([...built, ...times(7, 400)], 8)).toEqual([]);
  expect(smallSegments([...built, ...times(8, 400)], 8)).toEqual([70, 71, 72, 73, 74, 75, 76, 77]);
});

test('edits do not have segments read again that are much larger than what they leave', () => {
  const built = [...times(80, 8000, 12e6), ...times(6, 400, 1e6)];
  const found = smallSegments([...built, ...times(48, 1, 3000)]);
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 48 }, (_none, at) => 86 + at));
  // Not before there are many of them.
  expect(smallSegments([...built, ...times(47, 1, 3000)])).toEqual([]);
  // Once they are as large as what is joined, they are joined with it.
  expect(smallSegments([...built, ...times(42, 300, 1e6)])).toHaveLength(48);
});

test('ten thousand edits have each file read again a few times', () => {
  let sizes = times(100, 8000, 12e6);
  let read = 0;
  for (let edit = 0; edit < 10_000; edit++) {
    sizes = [...sizes, { files: 1, textBytes: 3000 }];
    const joined = smallSegments(sizes);
    if (joined.length === 0) continue;
    const files = joined.reduce((sum, at) => sum + (sizes[at]?.files ?? 0), 0);
    read += files;
    sizes = [
      ...sizes.filter((_size, at) => !joined.includes(at)),
      { files, textBytes: joined.reduce((sum, at) => sum + (sizes[at]?.textBytes ?? 0), 0) },
    ];
    expect(sizes.length).toBeLessThan(100 + 64);
  }
  // If all small ones were joined each time, it would be about a hundred times.
  expect(read).toBeLessThan(80_000);
});
