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
