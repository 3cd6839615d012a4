import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const main = resolve('dist/main.js');

/** A file of the program and what it imports before it runs, over any number of steps. */
function loadedWith(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
    /(?:^|;|\n)(?:import|export)[^;'"()]*"(\.[^"]+)"/g,
  ))
    loadedWith(join(dirname(path), name), found);
  return found;
}

test('a command loads a handful of files, however many chunks there are', () => {
  const [, cli = ''] = /import\("(\.\/chunks\/cli-[^"]+)"\)/.exec(readFileSync(main, 'utf8')) ?? [];
  const files = new Set([...loadedWith(main), ...loadedWith(join(dirname(main), cli))]);
  expect(files.size).toBeLessThanOrEqual(4);
  const code = [...files].map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(code.length).toBeGreaterThan(50_000);
  expect(code).not.toMatch(/from\s?"node:/);
});

test('the version needs next to nothing', () => {
  const bytes = [...loadedWith(main)].reduce((sum, path) => sum + readFileSync(path).length, 0);
  expect(bytes).toBeLessThan(20_000);
});
