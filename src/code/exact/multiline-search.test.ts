import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSearch } from '../../../test/fixtures/code/differential.ts';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';
import { createRoots } from '../../contract/roots.ts';

const PATTERNS = [
  'alpha\\n',
  'alpha\\nbeta',
  'alpha\\r?\\nbeta',
  'alpha\\s+beta',
  'alpha.*\\n.*gamma',
  'alpha.*gamma',
  '(?s)alpha.*gamma',
  '(?s)alpha.*?gamma',
  '(?s:alpha.{0,12}gamma)',
  'alpha[^z]*gamma',
  'alpha\\sbeta|needle_in_hay\\n\\}',
  '^beta$',
  '^beta$\\n^gamma$',
  '\\Aalpha',
  'gamma\\n\\z',
  '(?-m)^alpha',
  '\\n\\n\\n',
  '\\n',
  '^',
  '$',
  '^$',
  '\\s*',
  '\\}\\n+\\w',
  'catch \\(\\w+\\) \\{\\s*\\}',
  'function \\w+\\(\\n',
  'function \\w+\\([^)]*\\) \\{\\n\\s+return',
  'open\\(\\n\\s+"needle_in_hay",?\\n\\)',
  'needle_in_hay',
  'NEEDLE_IN_HAY",?\\n',
  '\\bgamma\\b\\W+\\bdelta\\b',
  'naïve\\n日本',
  '日本\\n',
  '[\\s\\S]delta',
  'x{3}\\n?x{3}',
  'return;?\\n\\s*\\}\\n',
  'mutex_lock[^;]*;\\n[^\\n]*return',
  '(?x) alpha \\s beta',
  '(?-u:alpha\\n)beta',
  'no_such_text\\nat_all',
  'beta\\ngamma\\ndelta\\n',
];

const files: Record<string, string> = {
  'list.txt': 'alpha\nbeta\ngamma\ndelta\n',
  'dos.txt': 'alpha\r\nbeta\r\ngamma\r\ndelta\r\n',
  'open.txt': 'zero\nalpha\nbeta\n\n\n\ngamma',
  'mark.txt': '\ufeffalpha\nbeta\ngamma\n',
  'wide.txt': 'naïve\n日本\nalpha beta\nxxx\nxxxxxx\n',
  'src/a.ts':
    'export function run(\n  one: string,\n) {\n  return one;\n}\n\ntry {\n  open(\n    "needle_in_hay",\n  )\n} catch (error) {\n}\n',
  'src/b.ts': 'function go(a) {\n  return a;\n}\nx = "needle_in_hay"\n}\ncatch (e) {}\n',
  // The two texts of a match are farther apart than a part of the index is long.
  'far.txt': `alpha_first\n${'filler line of text\n'.repeat(5_000)}omega_last\n`,
};

describe('patterns over lines', () => {
  let root = '';
  let opened: OpenedCode;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-multiline-')));
    writeFiles(root, { ...files });
    opened = await openedCode();
    await opened.index(root);
  });
  afterAll(async () => {
    await opened.close();
    rmSync(root, { recursive: true, force: true });
  });

  const ask = (pattern: string, insensitive = false) =>
    openSearch(opened.code, root, { pattern, insensitive, word: false, fixed: false, multiline: true });
  const found = async (pattern: string, insensitive = false) => {
    const search = await ask(pattern, insensitive);
    const lines: string[] = [];
    for await (const { path, hits } of search.hits())
      for (const hit of hits) lines.push(`${path}:${hit.line}`);
    return { lines, via: search.report.via };
  };
  const ripgrep = (pattern: string, insensitive: boolean) => {
    const flags = ['--no-config', '-U', '-n', '--no-heading', '--null', '--sort=path', '--max-columns=1'];
    try {
      const out = execFileSync(
        rgPath,
        [...flags, insensitive ? '-i' : '-s', '-g', '!long-line.js', '-g', '!far.txt', '-e', pattern, './'],
        { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] },
      );
      return out.split('\n').flatMap((line) => {
        const [, path, number] = /^\.\/([^\0]+)\0(\d+):/.exec(line) ?? [];
        return path === undefined ? [] : [`${path}:${number}`];
      });
    } catch {
      return [];
    }
  };

  it('finds the lines that ripgrep -U finds', async () => {
    const different: unknown[] = [];
    let narrowed = 0;
    for (const pattern of PATTERNS)
      for (const insensitive of [false, true]) {
        const { lines, via } = await found(pattern, insensitive);
        const here = lines.filter((line) => !line.startsWith('far.txt:'));
        const there = new Set(ripgrep(pattern, insensitive));
        const known = new Set(here);
        const missing = [...there].filter((line) => !known.has(line));
        const extra = here.filter((line) => !there.has(line));
        // Of a longer match the first 100 lines are shown.
        const isCut = there.size > here.length + 100;
        if ((missing.length > 0 && !isCut) || extra.length > 0 || known.size < here.length)
          different.push({ pattern, insensitive, missing: missing.slice(0, 5), extra: extra.slice(0, 5) });
        if (via === 'index') narrowed++;
      }
    expect(different).toEqual([]);
    expect(narrowed).toBeGreaterThan(PATTERNS.length / 2);
  });

  it('narrows by one text only, because a match may reach over parts of the index', async () => {
    const { lines, via } = await found('(?s)alpha_first.*omega_last');
    expect({ via, first: lines[0], shown: lines.length }).toEqual({
      via: 'index',
      first: 'far.txt:1',
      shown: 100,
    });
  });

  it('says how many lines of a long match are not shown, and counts those that are', async () => {
    const search = await ask('(?s)alpha_first.*omega_last');
    for await (const { hits } of search.hits())
      expect(hits.at(-1)).toEqual({ line: 100, text: 'filler line of text …[+4902 lines]' });
    for await (const entry of search.counts()) expect(entry).toEqual(['far.txt', 100]);
  });

  it('prints them as ripgrep does', async () => {
    const printed = async (more: object) => {
      const request = { pattern: 'beta\\ngamma', multiline: true, numbers: true, globs: ['*.txt'], ...more };
      const pieces: Uint8Array[] = [];
      for await (const piece of opened.code.exact.grep(
        { ...request, paths: [{ folder: root, lead: '' }] },
        await createRoots([root]),
        new AbortController().signal,
      ))
        pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    const args = ['--no-config', '-U', '-n', '--no-heading', '--sort=path', '-g', '*.txt', 'beta\\ngamma'];
    const real = (...more: string[]) =>
      execFileSync(rgPath, [...args, ...more], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    expect(await printed({})).toBe('list.txt:2:beta\nlist.txt:3:gamma\nmark.txt:2:beta\nmark.txt:3:gamma\n');
    expect(await printed({})).toBe(real());
    expect(await printed({ before: 1, after: 1 })).toBe(real('-C1'));
    expect(await printed({ form: 'names' })).toBe('list.txt\nmark.txt\n');
    await expect(printed({ invert: true })).rejects.toThrow('Leave out -v or -U');
  });
});
