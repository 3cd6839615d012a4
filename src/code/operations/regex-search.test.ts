import { realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

let house: OpenApp;
let root = '';
beforeAll(async () => {
  house = await temporaryApp();
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
    // Whether a line is a definition may come too late for a search.
    expect(data).toMatchObject({
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

  it('what ripgrep alone can find, in every encoding and at every line end', async () => {
    writeFiles(root, { 'plain.txt': 'one\na needle\nlast needle', 'windows.txt': 'one\r\na needle\r\n' });
    writeFileSync(join(root, 'mark.txt'), '\uFEFFa needle\n');
    writeFileSync(join(root, 'little.txt'), Buffer.from('\uFEFFä\na needle\n', 'utf16le'));
    writeFileSync(join(root, 'big.txt'), Buffer.from('\uFEFFä\na needle\n', 'utf16le').swap16());
    writeFileSync(join(root, 'latin.txt'), Buffer.from('\xe4\na needle \xe4\n', 'latin1'));
    const found = [
      'big.txt:2',
      'latin.txt:2',
      'little.txt:2',
      'mark.txt:1',
      'plain.txt:2',
      'plain.txt:3',
      'windows.txt:2',
    ];
    const { data, meta } = await search({ pattern: '(?x)need le', context_lines: 1 });
    expect(places(data)).toEqual(found);
    expect(meta.index.fresh).toBe(true);
    const { data: counted } = await search({ pattern: '(?x)need le', output: 'count' });
    expect(counted.count).toEqual({ hits: 7, files: 6 });
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
    const long = (await search({ pattern: '\\bx\\b', glob: ['b.*'], snippet_length: 100 })).data.matches[0]
      .hits[0];
    expect(long).toMatchObject({ line: 1, column: 1501 });
    expect(long.text).toMatch(/^….* x .*…$/);
    expect(long.text.length).toBe(102);
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

  it('says what was left out of the part that was asked for', async () => {
    writeFiles(root, {
      '.git/HEAD': '',
      'src/a.ts': 'port\n',
      'src/packed.js': 'port;'.repeat(5000),
      'img/logo.bin': 'port\0',
      'img/two.bin': 'port\0',
    });
    await search({ pattern: 'port' });
    const skipped = async (input: Record<string, unknown>) =>
      (await search({ pattern: 'port', ...input })).meta.skipped;
    // Once the index has them all.
    await expect.poll(() => skipped({})).toEqual({ binary: 2, minified: 1 });
    expect(await skipped({ path: 'src' })).toEqual({ minified: 1 });
    expect(await skipped({ glob: ['*.bin', '!two*'] })).toEqual({ binary: 1 });
    expect(await skipped({ language: 'typescript' })).toBeUndefined();
    // A search that reads them skips nothing.
    expect(await skipped({ everything: true })).toBeUndefined();
    expect(await skipped({ everything: true, output: 'count' })).toBeUndefined();
    expect(await skipped({ path: 'src/packed.js' })).toBeUndefined();
  });

  it('says on a later page that its files changed since the search', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    writeFiles(root, Object.fromEntries(names.map((name) => [`${name}.ts`, 'hit\n'])));
    const { pagination, meta } = await search({ pattern: 'hit', limit: 2 });
    expect(meta.index.fresh).toBe(true);
    const later = async () => {
      // Again each time: the clock of files stands still for some milliseconds, and may show that of the search.
      writeFileSync(join(root, 'c.ts'), 'another text\n');
      return (await search({ cursor: pagination.next_cursor, limit: 2 })).meta.index;
    };
    await expect.poll(later).toMatchObject({
      fresh: false,
      doubt: '1 file on this page changed since the search; repeat the search',
    });
  });

  it('fills the bytes of a page, and leaves out what programs wrote', async () => {
    writeFiles(root, {
      'many.txt': 'needle in a line\n'.repeat(150),
      'api.pb.go': 'package api // needle\n',
      'made.ts': '// Code generated by a tool. DO NOT EDIT.\nconst needle = 1;\n',
      'own.ts': 'const needle = 2;\n',
    });
    const { pagination } = await search(
      { pattern: 'needle', glob: ['*.txt'] },
      { format: 'json', budget: 16_000 },
    );
    expect(pagination.total_in_page).toBe(150);
    const { data } = await search({ pattern: 'needle', glob: ['*.ts', '*.go'], skip: ['generated'] });
    expect(places(data)).toEqual(['own.ts:1']);
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
    expect(answer.rendered.bytes).toBeLessThanOrEqual(4_000);
  });

  it('fits 50 hits into 4 kB with long lines and long paths', async () => {
    const folder = `${'a-long-folder-name/'.repeat(6)}and-a-file-with-a-long-name`;
    const line = `${'x'.repeat(400)} needle ${'y'.repeat(400)}\n`;
    writeFiles(
      root,
      Object.fromEntries(['a', 'b', 'c'].map((name) => [`${folder}-${name}.c`, line.repeat(20)])),
    );
    const { answer, data, pagination } = await search(
      { pattern: 'needle', limit: 50, snippet_length: 20 },
      { budget: 4_000 },
    );
    expect(pagination.total_in_page).toBe(50);
    expect(answer.rendered.bytes).toBeLessThanOrEqual(4_000);
    expect(data.matches[0].hits[0].text).toContain('needle');
    // Whole snippets do not fit: the page ends earlier and continues.
    const wide = await search({ pattern: 'needle', limit: 50 }, { budget: 4_000 });
    expect(wide.answer.rendered.bytes).toBeLessThanOrEqual(4_000);
    expect(wide.pagination).toMatchObject({ has_more: true });
  });

  it.each([false, true])(
    'tells what it does not search, and searches it when asked; indexed %s',
    async (indexed) => {
      writeFiles(root, {
        'a.js': 'needle\n',
        'bundle.min.js': `${'var a=1;'.repeat(4000)}needle\n`,
        'image.bin': 'needle\n\0needle\n',
      });
      truncateSync(join(root, 'a.js'), 7);
      writeFileSync(join(root, 'huge.log'), 'needle\n');
      truncateSync(join(root, 'huge.log'), 65 * 1024 * 1024);
      if (indexed) {
        const { body } = await ask(house, 'index', { root, what: 'code' }, { roots: [root], cwd: root });
        await expect.poll(async () => (await house.services.jobs.get(body.data.job_id))?.status).toBe('done');
      }
      for (const pattern of ['needle', 'ne{2}d', '\\w{6}$']) {
        const { data, meta } = await search({ pattern });
        expect(places(data)).toEqual(['a.js:1']);
        expect((await search({ pattern, output: 'count' })).data.count).toEqual({ hits: 1, files: 1 });
        if (indexed) expect(meta.skipped).toEqual({ binary: 1, minified: 1, too_large: 1 });
        else expect(Object.keys(meta.skipped ?? {}).length).toBeGreaterThan(0);
      }
      const all = await search({ pattern: 'needle', everything: true });
      expect(places(all.data)).toEqual([
        'a.js:1',
        'bundle.min.js:1',
        'huge.log:1',
        'image.bin:1',
        'image.bin:2',
      ]);
      expect((await search({ pattern: 'needle', everything: true, output: 'count' })).data.count).toEqual({
        hits: 5,
        files: 4,
      });
    },
  );

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
    [{ pattern: 'a', limit: 0 }, 'invalid_parameter', /1\.\.200/],
  ])('explains what is wrong with %j', async (input, code, message) => {
    writeFiles(root, { 'a.txt': 'text\n' });
    const { error } = await search(input);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});
