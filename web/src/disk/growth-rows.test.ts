import { expect, test } from 'vitest';
import { withoutChains } from './growth-rows.ts';

test('of folders inside each other with the same change, the deepest stays', () => {
  const rows = [
    { path: '/usr', grown: 140 },
    { path: '/usr/lib', grown: 139 },
    { path: '/usr/lib/node', grown: 139 },
    { path: '/usr/share', grown: -20 },
    { path: '/usr/share/doc', grown: -5 },
  ];
  expect(withoutChains(rows).map(({ path }) => path)).toEqual([
    '/usr/lib/node',
    '/usr/share',
    '/usr/share/doc',
  ]);
});

test('a folder with several changes inside stays', () => {
  const rows = [
    { path: '/', grown: 20 },
    { path: '/a', grown: 10 },
    { path: '/b', grown: 10 },
  ];
  expect(withoutChains(rows)).toEqual(rows);
});
