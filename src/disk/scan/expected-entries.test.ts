import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectedEntries } from './expected-entries.ts';

const whole = { followSymlinks: false, oneFileSystem: true, depthLimit: undefined, exclude: [] };

test('a folder in a file system, one that is gone, or a part of a scan has no number of entries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-entries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await expectedEntries(folder, whole)).toBeUndefined();
  expect(await expectedEntries(join(folder, 'gone'), whole)).toBeUndefined();
  expect(await expectedEntries('/', { ...whole, depthLimit: 2 })).toBeUndefined();
  expect(await expectedEntries('/', { ...whole, exclude: ['*.o'] })).toBeUndefined();
});
