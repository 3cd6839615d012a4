import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
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

it('answers from the last look, and says so, while a look at everything takes too long', async () => {
  tree = openTree(root, { watch: false, patienceMs: 0 });
  // Too large to be walked in a moment, so that the walk takes a thread.
  for (let folder = 0; folder < 400; folder++) {
    mkdirSync(join(root, `d${folder}`));
    for (let file = 0; file < 10; file++) writeFileSync(join(root, `d${folder}/f${file}`), '');
  }
  expect((await tree.refresh()).fresh).toBe(true);
  writeFileSync(join(root, 'late.ts'), '');
  const { fresh, reason } = await tree.refresh();
  expect({ fresh, reason, late: tree.files.has('late.ts') }).toEqual({
    fresh: false,
    reason: 'looking at all files takes long; these are the files of the last look',
    late: false,
  });
  await expect.poll(() => tree.files.has('late.ts')).toBe(true);
});

it('looks at everything after more events than the system keeps', async () => {
  await settled(true);
  // Two files in turn: the system joins only events of the same kind that follow one another.
  const [a, b] = [openSync(join(root, 'b.ts'), 'a'), openSync(join(root, 'src/a.ts'), 'a')];
  for (let round = 0; round < 20_000; round++) {
    writeSync(a, '.');
    writeSync(b, '.');
  }
  closeSync(a);
  closeSync(b);
  writeFileSync(join(root, 'src/unheard.ts'), '');
  expect((await tree.refresh()).fresh).toBe(true);
  expect(names()).toEqual(['b.ts', 'src/a.ts', 'src/unheard.ts']);
});

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
