import { expect, test } from 'vitest';
import { symbolText } from './symbol-text.ts';

test('a name is not called undefined while files are unread', () => {
  expect(symbolText({ unknown: 'Pool' })).toBe('Nothing here defines Pool.');
  expect(symbolText({ unknown: 'Pool', unread: true })).toBe('No file that was read defines Pool.');
});
