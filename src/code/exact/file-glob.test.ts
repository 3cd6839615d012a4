import { expect, it } from 'vitest';
import { fileGlob } from './file-glob.ts';

it.each([
  ['*.{ts,tsx}', 'src/a.tsx', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/', 'src/a/b.ts', true],
  ['{src/,lib/}', 'src/a/b.ts', true],
  ['src', 'lib/src/a.ts', true],
  ['src', 'src', true],
  ['src', 'srcs/a.ts', false],
  ['**.ts', 'src/a.ts', true],
  ['/src/*.ts', 'lib/src/a.ts', false],
  ['/src/*.ts', 'src/a.ts', true],
  ['*.rs', 'a.ts', false],
])('%s against %s', (glob, path, expected) => {
  expect(fileGlob(glob)(path)).toBe(expected);
});
