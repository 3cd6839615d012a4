import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeLines, writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { openTree } from '../files/watched-tree.ts';
import { buildersFor } from './build-trigram-segments.ts';
import { TrigramIndex } from './trigram-index.ts';

let base = '';
let root = '';
let data = '';
let tree: SourceTree;
let index: TrigramIndex;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-trigram-')));
  root = join(base, 'tree');
  data = join(base, 'data');
  mkdirSync(root);
  for (let file = 0; file < 40; file++) {
    writeFiles(root, { [`d${file % 4}/f${file}.c`]: `${madeLines(file, 60).join('\n')}\nname_${file}_x\n` });
  }
  await open();
});
afterEach(async () => {
  index.close();
  await tree.close();
  rmSync(base, { recursive: true, force: true });
});

async function open(): Promise<void> {
  tree = openTree(root, { watch: false });
  await tree.refresh();
  index = await TrigramIndex.open(data, tree);
}

async function reopen(): Promise<void> {
  index.close();
  await tree.close();
  await open();
}

const build = () => index.build(new AbortController().signal, () => {});
const paths = (text: string) =>
  [
    ...index.candidates({
      need: { kind: 'literal', literal: { text, folded: false } },
      admits: () => true,
    }),
  ].map(({ file }) => file.path);
const segments = () => readdirSync(data).filter((name) => name.endsWith('.seg'));

it('takes one builder where the list of files takes the memory of another', () => {
  const sizes = [1, 78_613, 157_226, 314_452];
  expect(sizes.map((size) => buildersFor({ files: { size } }))).toEqual([2, 2, 1, 1]);
});

describe('an n-gram index', () => {
  it('offers everything before it is built, and little after', async () => {
    expect(paths('name_7_x')).toHaveLength(40);
    await build();
    expect(index.state).toMatchObject({ indexed: 40, pending: 0, segments: 1 });
    expect(paths('name_7_x').length).toBeLessThanOrEqual(4);
    expect(paths('name_7_x')).toContain('d3/f7.c');
    expect(paths('absent_name')).toEqual([]);
  });

  it('gives candidates in path order over all segments', async () => {
    await build();
    writeFiles(root, { 'd1/f1.c': 'changed\n', 'a/new.c': 'new\n', 'z.c': 'new\n' });
    await tree.refresh();
    await build();
    writeFiles(root, { 'd2/pending.c': 'pending\n' });
    await tree.refresh();
    const all = [...index.candidates({ need: { kind: 'any' }, admits: () => true })].map(
      ({ file }) => file.path,
    );
    expect(all).toEqual([...tree.files.keys()].sort());
    expect(index.state).toMatchObject({ segments: 2, pending: 1 });
  });

  it('is there again after a restart, and knows what changed meanwhile', async () => {
    await build();
    writeFileSync(join(root, 'd0/f0.c'), 'name_7_x now here\n');
    rmSync(join(root, 'd3/f7.c'));
    await reopen();
    expect(index.state).toMatchObject({ indexed: 38, pending: 1 });
    expect(paths('name_7_x')).toContain('d0/f0.c');
    expect(paths('name_7_x')).not.toContain('d3/f7.c');
  });

  it('removes what a killed build left, and starts over without a manifest', async () => {
    await build();
    writeFileSync(join(data, 'half.seg.123.tmp'), 'half');
    writeFileSync(join(data, 'orphan.seg'), 'whole, but never counted');
    await reopen();
    expect(readdirSync(data).sort()).toEqual(['manifest.json', ...segments()].sort());
    expect(index.state.pending).toBe(0);
    writeFileSync(join(data, 'manifest.json'), '{"version":1,"segm');
    await reopen();
    expect(index.state).toMatchObject({ indexed: 0, pending: 40 });
    await build();
    expect(index.state).toMatchObject({ indexed: 40, pending: 0 });
  });

  it('drops a damaged segment in the middle of a search and still offers its files', async () => {
    await build();
    const [name = ''] = segments();
    const bytes = readFileSync(join(data, name));
    // The postings are the last part, of the length that the head tells; every page of them is damaged.
    const postings = bytes.length - bytes.readUInt32LE(20);
    for (let at = postings; at < bytes.length; at += 512) bytes[at] = (bytes[at] ?? 0) ^ 255;
    writeFileSync(join(data, name), bytes);
    await reopen();
    expect(paths('name_7_x')).toContain('d3/f7.c');
    expect(index.state).toMatchObject({ indexed: 0, pending: 40, segments: 0 });
    await build();
    expect(paths('name_7_x')).toContain('d3/f7.c');
    expect(index.state.pending).toBe(0);
  });

  it('merges small segments and gives up dead ones', async () => {
    await build();
    for (let round = 0; round < 12; round++) {
      writeFiles(root, {
        [`d0/f${(round % 6) * 4}.c`]: `round ${round}\nname_${round}_y\n`,
        [`new${round}.c`]: `name_${round}_z\n`,
      });
      await tree.refresh();
      await build();
    }
    expect(index.state).toMatchObject({ indexed: 52, pending: 0 });
    expect(index.state.segments).toBeLessThan(8);
    expect(segments()).toHaveLength(index.state.segments);
    expect(paths('name_11_z')).toContain('new11.c');
    expect(paths('name_7_x')).toContain('d3/f7.c');
  });

  it('counts what it does not search, and why', async () => {
    writeFiles(root, { 'image.png': 'a\0b', 'bundle.js': 'x'.repeat(40_000), '.hidden/a.c': 'x\n' });
    await tree.refresh();
    await build();
    expect(index.counts(false)).toEqual({ files: 40, skipped: { binary: 1, minified: 1 } });
    expect(index.counts(true)).toEqual({ files: 41, skipped: { binary: 1, minified: 1 } });
    expect(index.skipOf('image.png')).toBe('binary');
    expect(paths('xxxx')).not.toContain('bundle.js');
  });

  it('stops a build when asked and keeps what is done', async () => {
    const abort = new AbortController();
    abort.abort();
    await index.build(abort.signal, () => {});
    expect(index.state.pending).toBe(40);
    await build();
    expect(index.state.pending).toBe(0);
  });
});
