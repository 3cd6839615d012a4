import { expect, test } from 'vitest';
import { unsearched } from './searched-folders.ts';

test('a folder is searched when it is one that is searched or inside one', () => {
  expect(unsearched(['/a', '/a/x', '/b', '/c'], ['/a', '/b/part'])).toEqual(['/b', '/c']);
  expect(unsearched(['/a/x'], ['/a'])).toEqual([]);
  expect(unsearched(['/ab'], ['/a'])).toEqual(['/ab']);
});
