import { expect, test } from 'vitest';
import { withoutFolder } from './shared-folder.ts';

const places = (...paths: string[]) => paths.map((path, line) => ({ path, line, calls: [{ path }] }));

test('leaves out the folder that all paths are in', () => {
  expect(withoutFolder(places('packages/core/src/a.ts', 'packages/core/src/deep/b.ts'))).toEqual({
    folder: 'packages/core/src/',
    value: places('a.ts', 'deep/b.ts'),
  });
});

test('a folder ends at a slash, even where names begin alike', () => {
  expect(withoutFolder(places('packages/core/src/a.ts', 'packages/core/src-old/b.ts')).folder).toBe(
    'packages/core/',
  );
});

test.each([
  ['nothing in common', places('packages/core/src/a.ts', 'lib/b.ts')],
  ['a short folder', places('src/a.ts', 'src/b.ts')],
  ['too few paths', [{ path: 'packages/core/src/a.ts' }, { path: 'packages/core/src/b.ts' }]],
])('keeps paths whole: %s', (_, value) => {
  expect(withoutFolder(value)).toEqual({ folder: '', value });
});
