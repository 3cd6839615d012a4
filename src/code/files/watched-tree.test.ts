import {
  closeSync,
  linkSync,
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SourceTree } from './source-tree.ts';
import { openTree } from './watched-tree.ts';

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
    reason: 'checking all files is slow; results are from the previous check',
    late: false,
  });
  await expect.poll(() => tree.files.has('late.ts')).toBe(true);
});

it('reports only what changed, however large the tree is that is checked', async () => {
  for (let folder = 0; folder < 400; folder++) {
    mkdirSync(join(root, `d${folder}`));
    for (let file = 0; file < 10; file++) writeFileSync(join(root, `d${folder}/f${file}`), '');
  }
  writeFileSync(join(root, 'größe.ts'), '');
  tree = openTree(root, { watch: false });
  await tree.refresh();
  expect(tree.files.size).toBe(4003);
  const seen: unknown[] = [];
  tree.onChange(({ changed, removed }) => seen.push([changed.map(({ path }) => path), removed]));
  writeFileSync(join(root, 'd7/f7'), 'changed');
  writeFileSync(join(root, 'new.ts'), '');
  rmSync(join(root, 'd9/f1'));
  await tree.refresh();
  expect(seen).toEqual([[['d7/f7', 'new.ts'], ['d9/f1']]]);
  expect(tree.files.get('d7/f7')?.size).toBe(7);
  expect([tree.files.has('größe.ts'), tree.files.has('d9/f1'), tree.files.size]).toEqual([true, false, 4003]);
});

it('reports a hidden file that a rule shows, though the file is as before', async () => {
  writeFileSync(join(root, '.env'), 'A=1');
  await settled(true);
  expect(tree.files.get('.env')?.hidden).toBe(true);
  const seen: string[] = [];
  tree.onChange(({ changed }) => seen.push(...changed.map(({ path }) => path)));
  writeFileSync(join(root, '.ignore'), '!.env\n');
  await tree.refresh();
  expect(tree.files.get('.env')?.hidden).toBe(false);
  expect(seen.sort()).toEqual(['.env', '.ignore']);
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
  writeFileSync(join(root, 'src/missedChanges.ts'), '');
  expect((await tree.refresh()).fresh).toBe(true);
  expect(names()).toEqual(['b.ts', 'src/a.ts', 'src/missedChanges.ts']);
});

it('hears of a change through a hard link within one more search, though no watch tells of it', async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-link-')));
  linkSync(join(root, 'b.ts'), join(outside, 'link.ts'));
  tree = openTree(root, { watch: true, checkEveryMs: 0 });
  for (let turn = 0; turn < 5; turn++) await tree.refresh();
  writeFileSync(join(outside, 'link.ts'), 'longer than before');
  const size = async () => {
    await tree.refresh();
    return tree.files.get('b.ts')?.size;
  };
  await expect.poll(size).toBe(18);
  rmSync(outside, { recursive: true });
});

it('does not look at everything again and again', async () => {
  tree = openTree(root, { watch: true });
  for (let turn = 0; turn < 5; turn++) await tree.refresh();
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-link-')));
  linkSync(join(root, 'b.ts'), join(outside, 'link.ts'));
  await tree.refresh();
  writeFileSync(join(outside, 'link.ts'), 'longer than before');
  for (let turn = 0; turn < 20; turn++) await tree.refresh();
  expect(tree.files.get('b.ts')?.size).toBe(3);
  rmSync(outside, { recursive: true });
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

  it('listens to a folder that is removed and made again under its name', async () => {
    await settled(watch);
    for (let round = 0; round < 3; round++) {
      rmSync(join(root, 'src'), { recursive: true });
      mkdirSync(join(root, 'src/sub'), { recursive: true });
      writeFileSync(join(root, 'src/sub/a.ts'), 'one');
      await tree.refresh();
      expect(names()).toEqual(['b.ts', 'src/sub/a.ts']);
      writeFileSync(join(root, 'src/sub/a.ts'), `edited ${round}`);
      writeFileSync(join(root, 'src/new.ts'), '');
      await tree.refresh();
      expect(names()).toEqual(['b.ts', 'src/new.ts', 'src/sub/a.ts']);
      expect(tree.files.get('src/sub/a.ts')?.size).toBe(8);
      rmSync(join(root, 'src/new.ts'));
      await tree.refresh();
      expect(names()).toEqual(['b.ts', 'src/sub/a.ts']);
    }
  });

  it('listens to two folders that swap their names, and to what is in them', async () => {
    mkdirSync(join(root, 'lib/in'), { recursive: true });
    mkdirSync(join(root, 'src/in'));
    await settled(watch);
    renameSync(join(root, 'src'), join(root, 'aside'));
    renameSync(join(root, 'lib'), join(root, 'src'));
    renameSync(join(root, 'aside'), join(root, 'lib'));
    await tree.refresh();
    for (const folder of ['src', 'lib', 'src/in', 'lib/in']) {
      writeFileSync(join(root, folder, 'later.ts'), '');
      await tree.refresh();
      expect(names()).toContain(`${folder}/later.ts`);
    }
  });

  it('listens to a root that is removed and made again, or whose parent is', async () => {
    const parent = root;
    root = join(parent, 'inner/root');
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'a.ts'), '');
    await settled(watch);
    for (const gone of [root, join(parent, 'inner')]) {
      rmSync(gone, { recursive: true });
      mkdirSync(root, { recursive: true });
      writeFileSync(join(root, 'made.ts'), '');
      await tree.refresh();
      expect(names()).toEqual(['made.ts']);
      writeFileSync(join(root, 'later.ts'), '');
      await tree.refresh();
      expect(names()).toEqual(['later.ts', 'made.ts']);
    }
    renameSync(join(parent, 'inner'), join(parent, 'away'));
    mkdirSync(root, { recursive: true });
    await tree.refresh();
    expect(names()).toEqual([]);
    root = parent;
  });

  it.each([
    ['.git/info/exclude', 'repo/.git/info/exclude'],
    ['an ignore file above the root', '.ignore'],
    ['the ignore file of a repository above the root', '.gitignore'],
    ['the exclude file of a nested repository', 'repo/nested/.git/info/exclude'],
    ['the global excludes file', 'config/git/ignore'],
    ['a global excludes file that is named later', 'config/git/config'],
  ])('follows a change of %s', async (_what, file) => {
    const parent = root;
    root = join(parent, 'repo');
    vi.stubEnv('XDG_CONFIG_HOME', join(parent, 'config'));
    vi.stubEnv('HOME', parent);
    for (const folder of ['.git', 'repo/.git/info', 'repo/nested/.git/info', 'config/git'])
      mkdirSync(join(parent, folder), { recursive: true });
    rmSync(join(parent, file.includes('repo') || file.includes('config') ? '.git' : 'repo/.git'), {
      recursive: true,
    });
    writeFileSync(join(parent, 'named'), 'x.ts\n');
    for (const path of ['x.ts', 'y.ts', 'nested/x.ts']) writeFileSync(join(root, path), '');
    await settled(watch);
    expect(names()).toEqual(['nested/x.ts', 'x.ts', 'y.ts']);
    const nested = file.includes('nested');
    const text = file.endsWith('config') ? `[core]\n\texcludesFile = ${parent}/named\n` : 'x.ts\n';
    writeFileSync(join(parent, file), text);
    await tree.refresh();
    const inNested = file.startsWith('config') || file === '.ignore';
    expect(names()).toEqual(nested ? ['x.ts', 'y.ts'] : inNested ? ['y.ts'] : ['nested/x.ts', 'y.ts']);
    rmSync(join(parent, file));
    await tree.refresh();
    expect(names()).toEqual(['nested/x.ts', 'x.ts', 'y.ts']);
    root = parent;
    vi.unstubAllEnvs();
  });

  it('follows a repository that comes and goes, since it decides whether .gitignore counts', async () => {
    writeFileSync(join(root, 'src/.gitignore'), 'a.ts\n');
    await settled(watch);
    expect(names()).toContain('src/a.ts');
    mkdirSync(join(root, 'src/.git'));
    await tree.refresh();
    expect(names()).not.toContain('src/a.ts');
    rmSync(join(root, 'src/.git'), { recursive: true });
    await tree.refresh();
    expect(names()).toContain('src/a.ts');
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
