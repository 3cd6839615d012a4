import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSearch } from '../../../test/fixtures/code/differential.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';

let root = '';
let opened: OpenedCode;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-expensive-')));
  mkdirSync(join(root, 'd'));
  // The long line is found without effort, but to show the match in it takes more steps than this process allows.
  const lines = Array.from({ length: 700 }, (_none, at) => `needle ${at}`);
  lines[500] = `needle ${'a'.repeat(300_000)}`;
  writeFileSync(join(root, 'd/b.c'), `${lines.join('\n')}\n`);
  writeFileSync(join(root, 'd/a.c'), 'needle\n');
  writeFileSync(join(root, 'd/c.c'), 'needle\n');
  opened = await openedCode();
  await opened.index(root);
});
afterEach(async () => {
  await opened.close();
  rmSync(root, { recursive: true, force: true });
});

it('a pattern that proves too much in the middle of a file loses none of its lines and repeats none', async () => {
  const question = { pattern: 'needle.*(?:a?){150}$', insensitive: false, word: false, fixed: false };
  const search = await openSearch(opened.code, root, question);
  const places: string[] = [];
  for await (const { path, hits } of search.hits()) places.push(...hits.map(({ line }) => `${path}:${line}`));
  const expected = ['d/a.c:1', ...Array.from({ length: 700 }, (_none, at) => `d/b.c:${at + 1}`), 'd/c.c:1'];
  expect(places).toEqual(expected);
  expect(search.report.via).toBe('ripgrep');
});

it('a pattern that proves too much while a file with a secret is counted again counts what it shows', async () => {
  // The index rules nothing out, so ripgrep counts; whether the line with the secret counts takes our engine too long.
  const key = `AKIA${'IOSFODNN7EXAMPLF'}`;
  const lines = Array.from({ length: 700 }, (_none, at) => `line ${at}`);
  lines.splice(400, 0, 'one a', `key ${key} ${'a'.repeat(210_000)}`, 'two a');
  writeFileSync(join(root, 'd/key.c'), `${lines.join('\n')}\n`);
  await opened.index(root);
  const question = { pattern: '(?:a?){150}a$', insensitive: false, word: false, fixed: false };
  const counting = await openSearch(opened.code, root, question);
  const counts = new Map<string, number>();
  for await (const [path, count] of counting.counts()) counts.set(path, count);
  expect(counting.report.via).toBe('ripgrep');
  const shown = new Map<string, number>();
  for await (const { path, hits } of (await openSearch(opened.code, root, question)).hits())
    shown.set(path, (shown.get(path) ?? 0) + hits.length);
  expect([...counts].sort()).toEqual([...shown].sort());
  expect(Object.fromEntries(counts)).toEqual({ 'd/b.c': 1, 'd/key.c': 2 });
});
