import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceTree } from './source-tree.ts';
import { openTree } from './tree.ts';

let root = '';
let tree: SourceTree;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-tree-')));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), 'one');
  writeFileSync(join(root, 'b.ts'), 'two');
});
afterEach(async () => {
  await tree.close();
  rmSync(root, { recursive: true, force: true });
});

const names = () => [...tree.files.keys()].sort();

/** The watch is attached after the first refresh; a few refreshes later it carries the news alone. */
async function settled(watch: boolean): Promise<void> {
  tree = openTree(root, { watch });
  for (let turn = 0; turn < 5; turn++) await tree.refresh();
}

describe.each([true, false])('source tree, watching %s', (watch) => {
  it('knows an edit, an addition, a removal and a rename at once', async () => {
    await settled(watch);
    expect(names()).toEqual(['b.ts', 'src/a.ts']);

    writeFileSync(join(root, 'src/a.ts'), 'three');
    writeFileSync(join(root, 'src/new.ts'), '');
    rmSync(join(root, 'b.ts'));
    await tree.refresh();
    expect(names()).toEqual(['src/a.ts', 'src/new.ts']);
    expect(tree.files.get('src/a.ts')?.size).toBe(5);

    renameSync(join(root, 'src'), join(root, 'lib'));
    await tree.refresh();
    expect(names()).toEqual(['lib/a.ts', 'lib/new.ts']);

    writeFileSync(join(root, 'lib/a.ts'), 'in the folder under its new name');
    await tree.refresh();
    expect(tree.files.get('lib/a.ts')?.size).toBe(32);
  });

  it('finds what is put into a new folder right away, and later', async () => {
    await settled(watch);
    mkdirSync(join(root, 'x/y'), { recursive: true });
    writeFileSync(join(root, 'x/y/deep.ts'), '');
    await tree.refresh();
    expect(names()).toContain('x/y/deep.ts');
    writeFileSync(join(root, 'x/y/later.ts'), '');
    await tree.refresh();
    expect(names()).toContain('x/y/later.ts');
    rmSync(join(root, 'x'), { recursive: true });
    await tree.refresh();
    expect(names()).toEqual(['b.ts', 'src/a.ts']);
  });

  it('notices a change that keeps size and time', async () => {
    const file = join(root, 'b.ts');
    utimesSync(file, 1000, 1000);
    await settled(watch);
    const before = tree.files.get('b.ts')?.ctimeMs;
    writeFileSync(file, 'owt');
    utimesSync(file, 1000, 1000);
    await tree.refresh();
    expect(tree.files.get('b.ts')?.ctimeMs).not.toBe(before);
  });

  it('follows a change of the ignore rules', async () => {
    await settled(watch);
    writeFileSync(join(root, '.ignore'), 'src\n');
    await tree.refresh();
    expect(names()).toEqual(['.ignore', 'b.ts']);
  });

  it('tells listeners once about each change and counts generations', async () => {
    await settled(watch);
    const told: string[] = [];
    const { generation } = await tree.refresh();
    tree.onChange(({ changed, removed }) => told.push(...changed.map((file) => file.path), ...removed));
    writeFileSync(join(root, 'b.ts'), 'changed');
    expect((await tree.refresh()).generation).toBe(generation + 1);
    expect((await tree.refresh()).generation).toBe(generation + 1);
    expect(told).toEqual(['b.ts']);
  });

  it('is right after thousands of changes at once', async () => {
    await settled(watch);
    for (let index = 0; index < 5000; index++) writeFileSync(join(root, `src/f${index}.ts`), `${index}`);
    await tree.refresh();
    expect(tree.files.size).toBe(5002);
  });
});
