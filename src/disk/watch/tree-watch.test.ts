import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { emptyFolder, madeTree, rescanOf, scan } from '../../../test/disk/made-tree.ts';
import { expectSame } from '../../../test/disk/same-tree.ts';
import { freshnessOf, freshnessText } from '../indexes/freshness.ts';
import { rescan } from '../scan/rescan.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { Marks } from './folder-marks.ts';
import { FolderWatch } from './folder-watch.ts';
import { TreeWatch, type TreeWatchOptions } from './tree-watch.ts';
import { maxWatches } from './watch-limits.ts';

const open: TreeWatch[] = [];
afterAll(() => {
  for (const watch of open) watch.close();
});

/** A watched tree that is brought up to date as an owner does it. */
async function follow(root: string, options: Partial<TreeWatchOptions> = {}) {
  const logged: string[] = [];
  const watch = new TreeWatch({ limit: 10_000, log: (line) => logged.push(line), ...options });
  open.push(watch);
  const marks = new Marks();
  const state = { tree: await scan(root), unseen: 0, read: 0 };
  const begin = async () => {
    watch.follow(1, state.tree, marks);
    await watch.ready(1);
  };
  const catchUp = async () => {
    await watch.flush(1);
    const taken = marks.take();
    const { tree, filesUnchecked, foldersRead } = await rescan({
      ...rescanOf(state.tree),
      marks: taken,
      fileMs: 0,
    });
    marks.confirm(taken, false);
    Object.assign(state, { tree, unseen: filesUnchecked, read: foldersRead });
    await begin();
  };
  const fresh = () => freshnessOf(state.tree, marks, state.unseen);
  await begin();
  // What was made a moment ago is read once more, since its times cannot tell.
  await catchUp();
  return { watch, marks, state, catchUp, fresh, logged };
}

const expectExact = async ({ tree }: { tree: Tree }) =>
  expectSame(tree, await scan(tree.meta.root, {}, tree));

describe.each([
  ['in this process', undefined],
  ['in a process of its own', 0],
])('a tree watched %s', (_where, maxDirsInProcess) => {
  test('is known to be exact; what changes is heard, read and nothing else', async () => {
    const root = madeTree();
    const { state, catchUp, fresh } = await follow(root, { maxDirsInProcess });
    expect(fresh()).toMatchObject({ watched: true, changedFolders: 0, unseenFiles: 0 });
    expect(freshnessText(fresh(), Date.now())).toBe('now, every change is seen');
    await catchUp();
    expect(state.read).toBe(0);
    appendFileSync(join(root, 'docs/one.md'), 'in place');
    appendFileSync(join(root, 'docs/deep/er/and/deeper/leaf.log'), 'in place');
    await catchUp();
    expect(state).toMatchObject({ read: 2, unseen: 0 });
    expect(state.tree.size[rowOfPath(state.tree, join(root, 'docs/one.md'))]).toBe(1_008);
    await expectExact(state);
  });

  test('any changes: the same tree as a full scan, and sure of it', async () => {
    const root = emptyFolder();
    const { state, catchUp, fresh } = await follow(root, { maxDirsInProcess });
    const name = fc.constantFrom('a', 'b', 'c', 'd.ts');
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const action = fc.constantFrom(
      ...([
        'file',
        'file',
        'dir',
        'dir',
        'append',
        'append',
        'remove',
        'rename',
        'link',
        'again',
        'times',
      ] as const),
    );
    const change = fc.record({ action, path, other: path, bytes: fc.nat(10_000) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 15 }), async (changes) => {
        for (const each of changes) make(root, each);
        await catchUp();
        await expectExact(state);
        // New folders were read before they were watched; the next time they are sure.
        await catchUp();
        expect(fresh()).toMatchObject({ watched: true, changedFolders: 0, unseenFiles: 0 });
      }),
      // The folder keeps what earlier cases made, so a smaller case would be another one.
      { numRuns: maxDirsInProcess === undefined ? 8 : 4, endOnFailure: true },
    );
  });
});

interface Change {
  readonly action: string;
  readonly path: readonly string[];
  readonly other: readonly string[];
  readonly bytes: number;
}

function make(root: string, { action, path, other, bytes }: Change): void {
  const at = join(root, ...path);
  const to = join(root, ...other);
  try {
    if (action === 'remove') rmSync(at, { recursive: true, force: true });
    else if (action === 'rename') renameSync(at, to);
    else if (action === 'link') linkSync(at, to);
    else if (action === 'dir') mkdirSync(at, { recursive: true });
    else if (action === 'append') appendFileSync(at, 'x'.repeat(bytes));
    else if (action === 'times') utimesSync(at, bytes, bytes);
    else if (action === 'again') {
      // Often the same inode number again, for another folder.
      rmSync(at, { recursive: true });
      mkdirSync(at);
    } else writeFileSync(at, 'x'.repeat(bytes));
  } catch {
    // A folder where a file is wanted, or the other way round: another change will do.
  }
}

describe('what a watch alone would miss', () => {
  test('a file written through its other name, and a name that comes or goes elsewhere', async () => {
    const root = emptyFolder();
    for (const folder of ['a', 'b', 'c']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'a/one'), 'one');
    writeFileSync(join(root, 'c/solo'), 'solo');
    linkSync(join(root, 'a/one'), join(root, 'b/same'));
    const { state, catchUp } = await follow(root);
    appendFileSync(join(root, 'a/one'), ' more');
    await catchUp();
    expect(state.tree.size[rowOfPath(state.tree, join(root, 'b/same'))]).toBe(8);
    await expectExact(state);
    linkSync(join(root, 'c/solo'), join(root, 'b/duet'));
    await catchUp();
    await expectExact(state);
    rmSync(join(root, 'b/same'));
    await catchUp();
    await expectExact(state);
  });

  test('a file with a name outside is looked at each time, or said to be unseen', async () => {
    const outside = emptyFolder();
    const root = emptyFolder();
    writeFileSync(join(outside, 'out'), 'one');
    linkSync(join(outside, 'out'), join(root, 'in'));
    const { state, marks, catchUp, fresh } = await follow(root);
    await catchUp();
    expect(fresh()).toMatchObject({ watched: false, changedFolders: 0, unseenFiles: 1 });
    appendFileSync(join(outside, 'out'), ' more');
    const { tree } = await rescan({ ...rescanOf(state.tree), marks: marks.take() });
    expect(tree.size[rowOfPath(tree, join(root, 'in'))]).toBe(8);
  });

  test('more at once than the system keeps: everything is looked at again', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'many'));
    mkdirSync(join(root, 'quiet'));
    writeFileSync(join(root, 'quiet/file'), 'as it was');
    const { state, catchUp, watch, logged, fresh } = await follow(root);
    // Without a turn of the loop in between nobody reads the queue, and what does not fit into it is lost.
    for (let i = 0; i < 18_000; i++) closeSync(openSync(join(root, 'many', `f${i}`), 'w'));
    appendFileSync(join(root, 'quiet/file'), ', and more');
    await watch.flush(1);
    expect(logged.join()).toMatch(/more changes at once than the system reports/);
    await watch.ready(1);
    await catchUp();
    expect(state.tree.size[rowOfPath(state.tree, join(root, 'quiet/file'))]).toBe(19);
    await expectExact(state);
    await catchUp();
    expect(fresh()).toMatchObject({ watched: true, changedFolders: 0 });
  });

  test('more folders than may be watched: those changed last are, of the others it is said', async () => {
    const root = emptyFolder();
    for (let i = 0; i < 6; i++) {
      mkdirSync(join(root, `f${i}`));
      writeFileSync(join(root, `f${i}/file`), 'x');
      utimesSync(join(root, `f${i}/file`), 2_000_000_000 + i * 1000, 2_000_000_000 + i * 1000);
    }
    const { state, catchUp, fresh, watch } = await follow(root, { limit: 202 });
    const age = () => {
      state.tree = { ...state.tree, meta: { ...state.tree.meta, scannedAt: Date.now() + 60_000 } };
    };
    age();
    await catchUp();
    expect(fresh()).toMatchObject({ watched: false, unseenFiles: 4 });
    appendFileSync(join(root, 'f5/file'), 'yz');
    appendFileSync(join(root, 'f0/file'), 'yz');
    writeFileSync(join(root, 'f0/new'), '');
    age();
    await catchUp();
    await expectExact(state);
    const folder = state.tree.parent[rowOfPath(state.tree, join(root, 'f1/file'))] ?? 0;
    watch.lookedAt(1, folder);
    await watch.ready(1);
    appendFileSync(join(root, 'f1/file'), 'yz');
    age();
    await catchUp();
    expect(state.tree.size[rowOfPath(state.tree, join(root, 'f1/file'))]).toBe(3);
  });

  test('a folder that goes and comes again under the same inode number', async () => {
    const root = emptyFolder();
    const folder = join(root, 'folder');
    mkdirSync(folder);
    const { state, catchUp } = await follow(root);
    const { ino } = statSync(folder);
    for (let i = 0; i < 20; i++) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      if (statSync(folder).ino === ino) break;
    }
    writeFileSync(join(folder, 'file'), 'one');
    await catchUp();
    await catchUp();
    appendFileSync(join(folder, 'file'), ' more');
    await catchUp();
    expect(state.tree.size[rowOfPath(state.tree, join(folder, 'file'))]).toBe(8);
    await expectExact(state);
  });

  test('a folder that is replaced while a process still has the old one open', async () => {
    const root = emptyFolder();
    const folder = join(root, 'folder');
    mkdirSync(folder);
    const { state, catchUp, fresh } = await follow(root);
    // The system tells of the end of a folder only when the last who holds it lets go.
    const held = openSync(folder, 'r');
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'new'), 'new');
    await catchUp();
    await expectExact(state);
    await catchUp();
    expect(fresh()).toMatchObject({ watched: true, changedFolders: 0, unseenFiles: 0 });
    appendFileSync(join(folder, 'new'), ', and more');
    await catchUp();
    expect(state.tree.size[rowOfPath(state.tree, join(folder, 'new'))]).toBe(13);
    closeSync(held);
    await catchUp();
    await expectExact(state);
    expect(fresh()).toMatchObject({ watched: true, changedFolders: 0, unseenFiles: 0 });
  });

  test('the watching process dies: nothing is called watched any more', async () => {
    const root = madeTree();
    let tell: (line: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const { watch, fresh } = await follow(root, { maxDirsInProcess: 0, log: (line) => tell(line) });
    expect(fresh().watched).toBe(true);
    process.kill(watch.pid ?? 0, 'SIGKILL');
    expect(await ended).toBe('disk: the watching process ended');
    expect(fresh().watched).toBe(false);
  });

  test('no watches allowed: none are set', async () => {
    const { fresh } = await follow(madeTree(), { limit: 0 });
    expect(fresh().watched).toBe(false);
  });
});

test('folders are heard, and lost when they go', async () => {
  const root = emptyFolder();
  mkdirSync(join(root, 'sub'));
  const heard: number[] = [];
  const lost: number[] = [];
  const news = {
    changed: (_index: number, ids: readonly number[]) => heard.push(...ids),
    lost: (_index: number, ids: readonly number[]) => lost.push(...ids),
    overflow: () => undefined,
  };
  const folders = new FolderWatch(news, 16_384);
  const paths = [root, join(root, 'sub'), join(root, 'nothing')];
  expect(await folders.add({ index: 1, ids: [1, 2, 3], paths })).toEqual([[2, 'ENOENT']]);
  writeFileSync(join(root, 'sub/file'), '');
  await folders.flush();
  expect([heard, lost]).toEqual([[2], []]);
  rmSync(join(root, 'sub'), { recursive: true });
  await folders.flush();
  expect(new Set(heard)).toEqual(new Set([1, 2]));
  expect(lost).toEqual([2]);
  folders.close();
});

test('the limit is what was set, else half of what the system grants', () => {
  expect([maxWatches('0'), maxWatches('500')]).toEqual([0, 500]);
  const granted = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
  for (const wrong of [undefined, '', 'many', '-1']) expect(maxWatches(wrong)).toBe(Math.floor(granted / 3));
});
