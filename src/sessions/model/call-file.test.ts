import { expect, test } from 'vitest';
import { fileOfCall } from './call-file.ts';

const run = (command: string) => fileOfCall('execute', { command }, command, '/srv/app');

test.each([
  ["sed -n '1,20p' src/a.ts", '/srv/app/src/a.ts'],
  ['cd lib && cat b.go | head -3', '/srv/app/lib/b.go'],
  ['rg -n "x" /srv/other/c.py', '/srv/other/c.py'],
  ['cat a.go b.go', undefined],
  ['go test ./...', undefined],
  ['ls src', undefined],
  ['rg TODO src/*.ts', undefined],
])('%s is about %s', (command, file) => {
  expect(run(command)).toBe(file);
});

test('a long word takes no time', () => {
  expect(run(`cat ${'a'.repeat(300)}!`)).toBeUndefined();
  expect(run(`cat ${'a/'.repeat(300)}!`)).toBeUndefined();
});

test('a search in one file', () => {
  expect(fileOfCall('search', { pattern: 'x', path: 'src/a.ts' }, undefined, '/srv/app')).toBe(
    '/srv/app/src/a.ts',
  );
  expect(fileOfCall('search', { pattern: 'x', path: 'src' }, undefined, '/srv/app')).toBeUndefined();
});
