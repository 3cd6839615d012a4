import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { DamagedSnapshot, loadTree } from './load-tree.ts';
import { saveTree } from './save-tree.ts';
import { hasDetails, treeBytes } from './tree-columns.ts';

const folder = emptyFolder();
const file = join(folder, 'tree.idx');
const tree = await scan(madeTree(), { exclude: ['*.bin'] });
await saveTree(tree, file);
const whole = readFileSync(file);

test('what is loaded is what was saved', async () => {
  const loaded = await loadTree(file);
  expect(loaded.meta).toEqual({ ...tree.meta, options: { ...tree.meta.options } });
  expect(Buffer.from(loaded.buffer).equals(Buffer.from(tree.buffer))).toBe(true);
});

test('one changed byte anywhere is noticed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      // Between the facts and the columns lies padding that means nothing.
      const facts = 32 + whole.readUInt32LE(8);
      const columns = Math.ceil(facts / 4096) * 4096;
      fc.pre((at < 20 || at >= 32) && (at < facts || at >= columns));
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      writeFileSync(file, damaged);
      await expect(loadTree(file)).rejects.toThrow(DamagedSnapshot);
    }),
    { numRuns: 200 },
  );
});

test.each([0, 1, 31, 32, 200, 4096, whole.length - 1])(
  'a file cut to %i bytes is noticed',
  async (length) => {
    writeFileSync(file, whole);
    truncateSync(file, length);
    await expect(loadTree(file)).rejects.toThrow(DamagedSnapshot);
  },
);

test('sizes of an earlier version that are more than can be told are the most that can', async () => {
  const MOST = Number.MAX_SAFE_INTEGER;
  const old = await scan(madeTree());
  const last = old.meta.nodes - 1;
  old.size[last] = 7 * 2 ** 60;
  for (const column of [old.dirSize, old.dirDisk]) column[0] = 2 ** 62;
  await saveTree({ ...old, meta: { ...old.meta, big: [[last, 2 ** 60]] } }, join(folder, 'old.idx'));
  const loaded = await loadTree(join(folder, 'old.idx'));
  expect([loaded.size[last], loaded.dirSize[0], loaded.dirDisk[0]]).toEqual([MOST, MOST, MOST]);
  expect(loaded.big.get(last)).toBe(Math.floor(MOST / 512));
  expect(loaded.size[1]).toBe(old.size[1]);
});

test('a tree of the first version has no permissions until it is scanned again', async () => {
  const { meta, details } = tree;
  const columns = Buffer.from(tree.buffer);
  const before = columns.subarray(0, details.byteOffset);
  const after = columns.subarray(details.byteOffset + details.byteLength);
  const bytes = treeBytes(meta, false);
  const old = Buffer.concat([before, after, Buffer.alloc(8)]).subarray(0, bytes);
  const start = Math.ceil((32 + whole.readUInt32LE(8)) / 4096) * 4096;
  const head = Buffer.from(whole.subarray(0, start));
  head.writeUInt32LE(1, 4);
  head.writeUInt32LE(crc32(old), 16);
  writeFileSync(file, Buffer.concat([head, old]));
  const loaded = await loadTree(file);
  expect(hasDetails(loaded)).toBe(false);
  expect(loaded.details.every((value) => value === 0)).toBe(true);
  for (const column of ['size', 'ino', 'dirRow', 'linkCount', 'owner', 'kind', 'names'] as const)
    expect(Buffer.from(loaded[column]).equals(Buffer.from(tree[column])), column).toBe(true);
  expect(hasDetails(tree)).toBe(true);
});
