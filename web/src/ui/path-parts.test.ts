import { expect, test } from 'vitest';
import { pathParts } from './path-parts.ts';

const named = (text: string) =>
  pathParts(text).flatMap(({ path, line }) =>
    path === undefined ? [] : [line === undefined ? path : `${path}:${line}`],
  );

test('finds files with a folder or a line', () => {
  expect(named('FAIL src/tile.test.ts > loads\n    at src/tile.test.ts:31:22')).toEqual([
    'src/tile.test.ts',
    'src/tile.test.ts:31',
  ]);
  expect(named('/srv/app/a.ts and ./b/c.py, main.rs:7')).toEqual(['/srv/app/a.ts', './b/c.py', 'main.rs:7']);
});

test('leaves addresses, versions and plain names alone', () => {
  expect(named('https://example.com/a/b.html, node.js, v1.2.3, 3.14/2, e.g. this, ~/x/y.ts')).toEqual([]);
});

test('the parts are the text', () => {
  const text = 'see src/a.ts:3, then "lib/b.js".';
  expect(
    pathParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
