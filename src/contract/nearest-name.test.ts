import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

test.each([
  ['shrae', 'share'],
  ['mian', 'main'],
  ['Docs', 'docs'],
  ['nothing-like-it', undefined],
  ['dcos', 'docs'],
])('nearest to %s: %s', (wanted, found) => {
  expect(nearestName(['share', 'main', 'docs', 'lib', 'x'], wanted)).toBe(found);
});
