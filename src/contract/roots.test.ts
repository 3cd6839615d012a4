import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoots, isInside, type Roots } from './roots.ts';

let base = '';
let roots: Roots;
beforeAll(async () => {
  base = await realpath(mkdtempSync(join(tmpdir(), 'pinhole-roots-')));
  mkdirSync(join(base, 'in', 'deep'), { recursive: true });
  mkdirSync(join(base, 'in-sibling'));
  mkdirSync(join(base, 'out'));
  writeFileSync(join(base, 'in', 'file.txt'), 'inside');
  writeFileSync(join(base, 'out', 'secret.txt'), 'outside');
  writeFileSync(join(base, 'in-sibling', 'x'), 'sibling');
  symlinkSync(join(base, 'out'), join(base, 'in', 'escape'));
  symlinkSync(join(base, 'in', 'deep'), join(base, 'in', 'fine'));
  symlinkSync('loop', join(base, 'in', 'loop'));
  roots = await createRoots([join(base, 'in')], join(base, 'in', 'deep'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const code = (path: string) =>
  roots.resolve(path).then(
    () => 'resolved',
    (error: { code: string }) => error.code,
  );

describe('resolve', () => {
  test('gives the real path inside', async () => {
    expect(await roots.resolve(join(base, 'in', 'file.txt'))).toBe(join(base, 'in', 'file.txt'));
    expect(await roots.resolve('../file.txt')).toBe(join(base, 'in', 'file.txt'));
    expect(await roots.resolve(join(base, 'in', 'fine'))).toBe(join(base, 'in', 'deep'));
  });

  test.each([
    ['outside', () => join(base, 'out', 'secret.txt'), 'path_not_allowed'],
    ['outside and missing: not even that is told', () => join(base, 'out', 'nothing'), 'path_not_allowed'],
    ['traversal', () => join(base, 'in', '..', 'out', 'secret.txt'), 'path_not_allowed'],
    ['a sibling with the same beginning', () => join(base, 'in-sibling', 'x'), 'path_not_allowed'],
    ['a link that leaves', () => join(base, 'in', 'escape', 'secret.txt'), 'path_not_allowed'],
    ['missing', () => join(base, 'in', 'nothing'), 'not_found'],
    ['a loop of links', () => join(base, 'in', 'loop'), 'not_found'],
    ['a NUL character', () => `${base}/in/\0`, 'invalid_parameter'],
    ['a name too long', () => join(base, 'in', 'x'.repeat(5000)), 'invalid_parameter'],
  ])('%s', async (_name, path, expected) => expect(await code(path())).toBe(expected));
});

test('a relative path without a folder to start from is refused', async () => {
  const bare = await createRoots([base]);
  await expect(bare.resolve('in')).rejects.toMatchObject({ code: 'invalid_parameter' });
});

test('no byte from outside while a link is being swapped', async () => {
  const path = join(base, 'in', 'swap');
  writeFileSync(path, 'inside');
  let swapping = true;
  const attacker = (async () => {
    for (let i = 0; swapping; i++) {
      const temporary = join(base, 'in', `t${i % 2}`);
      rmSync(temporary, { force: true });
      if (i % 2 === 0) symlinkSync(join(base, 'out', 'secret.txt'), temporary);
      else writeFileSync(temporary, 'inside');
      renameSync(temporary, path);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let read = 0;
  for (let i = 0; i < 2_000; i++) {
    try {
      const handle = await roots.open(path);
      const text = await handle.readFile('utf8');
      await handle.close();
      expect(text).not.toBe('outside');
      read++;
    } catch (error) {
      expect((error as { code: string }).code).toMatch(/path_not_allowed|not_found/);
    }
  }
  swapping = false;
  await attacker;
  expect(read).toBeGreaterThan(0);
});

test('isInside minds the border of names', () => {
  expect(isInside('/a/b', '/a')).toBe(true);
  expect(isInside('/ab', '/a')).toBe(false);
  expect(isInside('/a', '/')).toBe(true);
});
