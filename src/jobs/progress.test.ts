import { expect, test } from 'vitest';
import { doneText } from './progress.ts';

test('one thing is not several', () => {
  expect(doneText(1, 'files')).toBe('1 file');
  expect(doneText(1, 'entries')).toBe('1 entry');
  expect(doneText(1204, 'entries')).toBe('1,204 entries');
  expect(doneText(7)).toBe('7');
});
