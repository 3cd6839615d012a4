import { expect, test } from 'vitest';
import { readQuery } from './read-query.ts';

test.each([
  ['Mutex and semaphore for synchronization', 'mutex'],
  ['Job', undefined],
  ['How sockets are opened', undefined],
  ['job interface', undefined],
])('the name that "%s" starts with', (text, name) => {
  expect(readQuery(text).first).toBe(name);
});
