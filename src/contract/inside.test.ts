import { expect, test } from 'vitest';
import { isInside, mayBeInside, restBelow } from './inside.ts';

test.each([
  ['/srv/app', '/srv/app', '/', true],
  ['/srv/app/a.ts', '/srv/app', '/', true],
  ['/srv/apps', '/srv/app', '/', false],
  ['/srv', '/', '/', true],
  ['C:\\app\\a.ts', 'C:\\app', '\\', true],
  ['C:\\apps', 'C:\\app', '\\', false],
  ['C:\\app', 'C:\\', '\\', true],
  ['D:\\app', 'C:\\', '\\', false],
])('%s in %s with %s: %s', (path, folder, separator, inside) => {
  expect(isInside(path, folder, separator)).toBe(inside);
});

test.each([
  ['linux', '/srv/App/a', '/srv/app', false],
  ['darwin', '/Users/Ann/App/a', '/users/ann/app', true],
  ['darwin', '/Users/Ann/Apps', '/users/ann/app', false],
  ['win32', 'c:\\App\\a', 'C:\\app', true],
  ['win32', 'D:\\app', 'C:\\app', false],
] as const)('on %s, %s as written may be in %s: %s', (platform, path, folder, inside) => {
  expect(mayBeInside(path, folder, platform)).toBe(inside);
});

test('the rest of a path below a folder, whichever system wrote it', () => {
  expect(restBelow('/srv/app/src/a.ts', '/srv/app')).toBe('src/a.ts');
  expect(restBelow('C:\\app\\src\\a.ts', 'C:\\app')).toBe('src\\a.ts');
  expect(restBelow('/srv/apps/a.ts', '/srv/app')).toBeUndefined();
  expect(restBelow('/srv/app', '/srv/app')).toBeUndefined();
});
