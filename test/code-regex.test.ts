import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { House } from '../src/app/house.ts';
import { writeFiles } from './fixtures/code/made-tree.ts';
import { ask, temporaryFolder, temporaryHouse } from './support.ts';

let house: House;
let root = '';
beforeAll(async () => {
  house = await temporaryHouse();
});
beforeEach(() => {
  root = realpathSync(temporaryFolder());
});

const search = async (input: Record<string, unknown>, who = {}) => {
  const { answer, body } = await ask(house, 'regex_search', input, { roots: [root], cwd: root, ...who });
  return { answer, ...body };
};

/** `path:line` of every hit of a page. */
const places = (data: { matches: { path: string; hits: { line: number }[] }[] }) =>
  data.matches.flatMap(({ path, hits }) => hits.map(({ line }) => `${path}:${line}`));

describe('regex_search', () => {
  it('groups hits by file and says what was searched', async () => {
    writeFiles(root, {
      'src/a.ts': 'const port = 4747;\n  listen(port);\n',
      'src/b.ts': 'no\n\nport\n',
      'logo.bin': 'port\0',
    });
    const { data, pagination, meta } = await search({ pattern: 'port' });
    expect(data).toEqual({
      matches: [
        {
          path: 'src/a.ts',
          hits: [
            { line: 1, text: 'const port = 4747;' },
            { line: 2, text: 'listen(port);' },
          ],
        },
        { path: 'src/b.ts', hits: [{ line: 3, text: 'port' }] },
      ],
    });
    expect(pagination).toEqual({ total_in_page: 3, total: 3, has_more: false });
    expect(meta).toMatchObject({ index: { fresh: true }, skipped: { binary: 1 } });
    expect(meta.index.files + meta.skipped.binary).toBeGreaterThanOrEqual(3);
  });

  it('links to the same search on the page', async () => {
    writeFiles(root, { 'src/a.ts': 'port\n' });
    const { link } = await search({
      pattern: 'Port',
      path: 'src',
      glob: ['*.ts', '!*.test.ts'],
      word: true,
      fixed: true,
      case: 'insensitive',
    });
    const { pathname, searchParams } = new URL(link, 'http://localhost');
    expect(pathname).toBe('/code');
    expect(Object.fromEntries(searchParams)).toEqual({
      q: 'Port',
      mode: 'regex',
      path: join(root, 'src'),
      glob: '*.ts,!*.test.ts',
      word: 'true',
      fixed: 'true',
      case: 'insensitive',
    });
  });

  it('gives counts, files, context, windows into long lines, or no text at all', async () => {
    writeFiles(root, {
      'a.txt': 'one\ntwo x\nthree\nx\n',
      'b.txt': `${'word '.repeat(300)}x${' word'.repeat(300)}\n`,
    });
    expect((await search({ pattern: '\\bx\\b', output: 'count' })).data).toEqual({
      count: { hits: 3, files: 2 },
    });
    expect((await search({ pattern: '\\bx\\b', output: 'files' })).data).toEqual({
      files: [
        { path: 'a.txt', hits: 2 },
        { path: 'b.txt', hits: 1 },
      ],
    });
    const around = await search({ pattern: 'two', context_lines: 1 });
    expect(around.data.matches[0].hits).toEqual([
      { line: 2, text: 'two x', before: ['one'], after: ['three'] },
    ]);
    const long = (await search({ pattern: '\\bx\\b', glob: ['b.*'], snippet_length: 40 })).data.matches[0]
      .hits[0];
    expect(long).toMatchObject({ line: 1, column: 1501, bytes: 3001 });
    expect(long.text).toMatch(/^….* x .*…$/);
    expect(long.text.length).toBe(42);
    const bare = await search({ pattern: 'two', include_snippet: false });
    expect(bare.data.matches[0].hits).toEqual([{ line: 2 }]);
  });

  it('pages through kept results and narrows them without a new search', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_none, index) => [
        `${index % 2 ? 'odd' : 'even'}/f${index}.${index % 3 ? 'ts' : 'py'}`,
        'hit\nmiss\nhit\n',
      ]),
    );
    writeFiles(root, files);
    const all: string[] = [];
    let page = await search({ pattern: 'hit', limit: 7 });
    const first = page.pagination.next_cursor;
    for (;;) {
      all.push(...places(page.data));
      if (!page.pagination.has_more) break;
      page = await search({ cursor: page.pagination.next_cursor });
    }
    expect(all).toHaveLength(60);
    expect(new Set(all).size).toBe(60);
    const narrowed = await search({ cursor: first, path: 'odd', language: 'python', limit: 100 });
    expect(new Set(places(narrowed.data))).toEqual(
      new Set(all.filter((place) => place.startsWith('odd/') && place.includes('.py'))),
    );
    const wrong = await search({ cursor: first, pattern: 'other' });
    expect(wrong.error.code).toBe('invalid_cursor');
  });

  it('fits 50 hits into 4 kB', async () => {
    const line = (index: number) => `\tmutex_lock(&dev->lock${index});\n`;
    const files = Array.from({ length: 12 }, (_none, file) => [
      `drivers/net/ethernet/vendor${file}/main.c`,
      `/* code */\n${line(file)}\n`.repeat(6),
    ]);
    writeFiles(root, Object.fromEntries(files));
    const { answer, pagination } = await search({ pattern: 'mutex_lock', limit: 50 });
    expect(pagination.total_in_page).toBe(50);
    expect(answer.bytes).toBeLessThanOrEqual(4_000);
  });

  it('takes case, word, fixed text, globs, languages, hidden files and subfolders', async () => {
    writeFiles(root, {
      'a.ts': 'Foo foobar a.b axb\n',
      'lib/b.py': 'foo\n',
      'lib/c.rs': 'FOO\n',
      '.env/d.ts': 'foo\n',
    });
    const found = async (input: Record<string, unknown>) => places((await search(input)).data);
    expect(await found({ pattern: 'foo' })).toEqual(['a.ts:1', 'lib/b.py:1', 'lib/c.rs:1']);
    expect(await found({ pattern: 'Foo' })).toEqual(['a.ts:1']);
    expect(await found({ pattern: 'foo', case: 'sensitive', word: true })).toEqual(['lib/b.py:1']);
    expect(await found({ pattern: 'A.B', case: 'insensitive', fixed: true })).toEqual(['a.ts:1']);
    expect(await found({ pattern: 'foo', glob: ['*.{py,rs}', '!*.rs'] })).toEqual(['lib/b.py:1']);
    expect(await found({ pattern: 'foo', language: 'rust' })).toEqual(['lib/c.rs:1']);
    expect(await found({ pattern: 'foo', hidden: true, glob: ['*.ts'] })).toEqual(['.env/d.ts:1', 'a.ts:1']);
    expect(await found({ pattern: 'foo', path: 'lib' })).toEqual(['lib/b.py:1', 'lib/c.rs:1']);
    expect(await found({ pattern: 'foo', path: 'lib/b.py' })).toEqual(['lib/b.py:1']);
  });

  it('explains its plan', async () => {
    writeFiles(root, { 'a.ts': 'spin_lock(irq)\n', 'b.ts': 'other\n' });
    const { data } = await search({ pattern: 'Spin_lock.*(irq|IRQ)' }, { explain: true });
    expect(data).toMatchObject({
      via: 'index',
      requires: '"Spin_lock" and ("irq" or "IRQ")',
      insensitive: false,
    });
    expect(data.candidates.files).toBeLessThanOrEqual(2);
    const scan = await search({ pattern: '\\w+' }, { explain: true });
    expect(scan.data).toMatchObject({ via: 'ripgrep', candidates: { files: 2 } });
  });

  it('searches an ignored folder when it is asked for by name', async () => {
    writeFiles(root, { '.git/HEAD': '', '.gitignore': 'out\n', 'out/a.js': 'needle\n', 'b.js': 'needle\n' });
    expect(places((await search({ pattern: 'needle' })).data)).toEqual(['b.js:1']);
    expect(places((await search({ pattern: 'needle', path: 'out' })).data)).toEqual(['a.js:1']);
  });

  it.each([
    [{ pattern: '(' }, 'invalid_parameter', /unclosed group.*character 1/],
    [{ pattern: 'a(?=b)' }, 'invalid_parameter', /look-around/],
    [{ pattern: '\\p{Nope}x' }, 'invalid_parameter', /pattern/],
    [{ pattern: 'a', language: 'klingon' }, 'invalid_parameter', /glob/],
    [{ pattern: 'a', path: '/etc' }, 'path_not_allowed', /allow/],
    [{ pattern: 'a', path: 'gone' }, 'not_found', /gone/],
    [{ pattern: 'a', limit: 1000 }, 'invalid_parameter', /1\.\.200/],
  ])('explains what is wrong with %j', async (input, code, message) => {
    writeFiles(root, { 'a.txt': 'text\n' });
    const { error } = await search(input);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});

describe('the next search after a change', () => {
  const needles = async () => places((await search({ pattern: 'needle', limit: 200 })).data);

  it('knows edits, additions, removals and renames', async () => {
    writeFiles(root, { 'a.c': 'needle\n', 'b.c': 'hay\n' });
    expect(await needles()).toEqual(['a.c:1']);
    writeFileSync(join(root, 'b.c'), 'hay\nneedle\n');
    expect(await needles()).toEqual(['a.c:1', 'b.c:2']);
    writeFileSync(join(root, 'c.c'), 'needle\n');
    rmSync(join(root, 'a.c'));
    expect(await needles()).toEqual(['b.c:2', 'c.c:1']);
    mkdirSync(join(root, 'sub'));
    renameSync(join(root, 'c.c'), join(root, 'sub/d.c'));
    expect(await needles()).toEqual(['b.c:2', 'sub/d.c:1']);
  });

  it('knows a checkout of another branch with 5,000 changed files', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: root,
        stdio: 'pipe',
      });
    const write = (word: string) => {
      const files = Array.from({ length: 5000 }, (_none, index) => [
        `d${index % 50}/f${index}.c`,
        `int ${word}_${index};\n`,
      ]);
      writeFiles(root, Object.fromEntries(files));
    };
    git('init', '-q', '-b', 'one');
    write('first');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'two');
    write('second');
    git('commit', '-qam', 'two');
    const count = async (pattern: string) => (await search({ pattern, output: 'count' })).data.count;
    expect(await count('second_\\d+')).toEqual({ hits: 5000, files: 5000 });
    git('checkout', '-q', 'one');
    expect(await count('second_\\d+')).toEqual({ hits: 0, files: 0 });
    expect(await count('first_\\d+')).toEqual({ hits: 5000, files: 5000 });
    const { meta } = await search({ pattern: 'first_1;' });
    expect(meta.index.fresh).toBe(true);
  }, 180_000);
});
