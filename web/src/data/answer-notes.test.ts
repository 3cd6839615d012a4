import { expect, test } from 'vitest';
import { doubtOf, partialOf, skippedOf } from './answer-notes.ts';

test('an answer from a part of the files says which part', () => {
  expect(partialOf({ indexing: { files: 1_635, of: 118_583, seconds_left: 90 } })).toEqual({
    files: 1_635,
    of: 118_583,
    secondsLeft: 90,
  });
  expect(partialOf({ indexing: { done: 1, total: 2 } })).toBeUndefined();
  expect(partialOf({})).toBeUndefined();
});

test('doubts and skipped files are told', () => {
  expect(doubtOf({ index: { files: 3, fresh: false, doubt: '1 file changed' } })).toBe('1 file changed');
  expect(doubtOf({ index: { files: 3, fresh: true } })).toBeUndefined();
  expect(skippedOf({ skipped: { binary: 3, too_large: 1 } })).toBe('3 binary, 1 too large');
  expect(skippedOf({ skipped: {} })).toBeUndefined();
});
