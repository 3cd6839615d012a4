import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRoots } from '../src/contract/roots.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

const house = await temporaryApp();
const root = await realpath(temporaryFolder());
const key = ['AK', 'IA', 'QWERTYUIOPASDFGH'].join('');
const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
writeFileSync(
  join(root, 'conf.ts'),
  `export const key = '${key}';\nexport const token = '${token}';\nexport const other = 1;\n`,
);
const search = (operation: string, input: Record<string, unknown>) =>
  ask(house, operation, { path: root, ...input }, { roots: [root] });

test('a query for a secret finds nothing, with and without an index, whole or in part', async () => {
  for (const indexed of [false, true]) {
    if (indexed) {
      const { job_id } = (await ask(house, 'index', { root, what: 'code' }, { roots: [root] })).body.data;
      await expect.poll(async () => (await house.services.jobs.get(job_id))?.status).toBe('done');
    }
    for (const pattern of [key, token, key.slice(2, 12), token.slice(4, 14), `'${key.slice(0, 8)}\\w+'`]) {
      const { body, answer } = await search('regex_search', { pattern });
      expect(body.data.matches ?? []).toEqual([]);
      expect(answer.rendered.text).not.toMatch(new RegExp(`${key}|${token}`));
    }
    const { body } = await search('regex_search', { pattern: 'export const (key|token)' });
    expect(body.data.matches[0].hits.map((hit: { text: string }) => hit.text)).toEqual([
      "export const key = '[redacted:aws]';",
      "export const token = '[redacted:github]';",
    ]);
    expect(body.meta.redacted).toBe(2);
  }
});

test.each([false, true])(
  'every form agrees on a line that matches only through a secret, indexed %s',
  async (indexed) => {
    const folder = await realpath(temporaryFolder());
    const mixed = `const a = '${key}'; // 77`;
    writeFileSync(join(folder, 'one.ts'), `const key = '${key}';\n${mixed}\nplain 77\n`);
    writeFileSync(join(folder, 'two.ts'), `const key = '${key}';\n`);
    const here = { roots: [folder], cwd: folder };
    if (indexed) {
      const { job_id } = (await ask(house, 'index', { root: folder, what: 'code' }, here)).body.data;
      await expect.poll(async () => (await house.services.jobs.get(job_id))?.status).toBe('done');
    }
    const run = async (input: Record<string, unknown>) =>
      (await ask(house, 'regex_search', input, here)).body.data;
    const grep = async (request: Record<string, unknown>) => {
      let text = '';
      const paths = [{ folder, lead: '' }];
      const pieces = house.services.code.exact.grep(
        { paths, ...request },
        await createRoots([folder]),
        new AbortController().signal,
      );
      for await (const piece of pieces) text += Buffer.from(piece).toString();
      return text;
    };
    // Through a text of the index, through ripgrep alone, and with what only ripgrep can run.
    const middle = key.slice(4, 10);
    for (const pattern of [key, middle, `[A-Z]{2}${middle.slice(2, 4)}`, `(?x) ${middle}`]) {
      expect(await run({ pattern, case: 'sensitive', output: 'count' })).toEqual({
        note: 'No match in 2 files.',
        count: { hits: 0, files: 0 },
      });
      expect((await run({ pattern, case: 'sensitive', output: 'files' })).files).toEqual([]);
      expect((await run({ pattern, case: 'sensitive' })).matches).toEqual([]);
      const file = (await run({ pattern, case: 'sensitive', output: 'file' })).file;
      expect({ hits: file.hits, bytes: file.bytes }).toEqual({ hits: 0, bytes: 0 });
      for (const form of ['lines', 'only', 'counts', 'names']) expect(await grep({ pattern, form })).toBe('');
      expect(await grep({ pattern, form: 'json' })).toContain('"matched_lines":0');
      expect(await grep({ pattern, form: 'lines', invert: true })).not.toContain(middle);
    }
    // A line with a secret is found by its other parts, in every form.
    for (const pattern of ['77', '7{2}$', '\\d\\d$']) {
      expect(await run({ pattern, output: 'count' })).toEqual({ count: { hits: 2, files: 1 } });
      expect((await run({ pattern, output: 'files' })).files).toEqual([{ path: 'one.ts', hits: 2 }]);
      expect((await run({ pattern })).matches[0].hits.map((hit: { line: number }) => hit.line)).toEqual([
        2, 3,
      ]);
      expect(await grep({ pattern, form: 'counts' })).toBe('one.ts:2\n');
      expect(await grep({ pattern, numbers: true })).toBe(
        "one.ts:2:const a = '[redacted:aws]'; // 77\none.ts:3:plain 77\n",
      );
    }
  },
);

test('names of files are redacted in every form', async () => {
  const folder = await realpath(temporaryFolder());
  mkdirSync(join(folder, token));
  writeFileSync(join(folder, token, 'a.ts'), 'before\nneedle\nafter\n');
  const grep = async (request: Record<string, unknown>) => {
    let text = '';
    const asked = { pattern: 'needle', paths: [{ folder, lead: '' }], ...request };
    const pieces = house.services.code.exact.grep(
      asked,
      await createRoots([folder]),
      new AbortController().signal,
    );
    for await (const piece of pieces) text += Buffer.from(piece).toString();
    return text;
  };
  const name = '[redacted:github]/a.ts';
  expect(await grep({ before: 1, after: 1 })).toBe(`${name}-before\n${name}:needle\n${name}-after\n`);
  expect(await grep({ names: 'heading' })).toBe(`${name}\nneedle\n`);
  expect(await grep({ form: 'counts' })).toBe(`${name}:1\n`);
  for (const form of ['names', 'files']) expect(await grep({ form })).toBe(`${name}\n`);
  expect(await grep({ pattern: '(?x) needle', form: 'only' })).toBe(`${name}:needle\n`);
  const json = await grep({ form: 'json' });
  expect(json).toContain(`"path":{"text":"${name}"}`);
  expect(json).not.toContain(token);
  const { body } = await ask(
    house,
    'regex_search',
    { path: folder, pattern: 'needle', output: 'file' },
    { roots: [folder] },
  );
  expect(readFileSync(body.data.file.path, 'utf8')).toBe(`${name}:2:needle\n`);
});

test('neither does a search by meaning show one, nor the link it comes with', async () => {
  for (const query of [key, token]) {
    const { answer } = await search('hybrid_search', { query });
    expect(answer.rendered.text).not.toContain(query);
  }
});

test('what the index for meaning keeps of a file holds no word of a secret', async () => {
  const word = 'flumadiddle';
  writeFileSync(
    join(root, 'db.ts'),
    `export const password = '${word}-42';\nexport function connectFast() {}\n`,
  );
  const { answer, body } = await search('hybrid_search', { query: 'connectFast' });
  expect(body.data.matches[0].path).toBe('db.ts');
  expect(answer.rendered.text).not.toContain(word);
  const kept = readdirSync(house.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const holding = (text: string) =>
    kept.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
  expect(holding('connectfast').length).toBeGreaterThan(0);
  expect(holding(word)).toEqual([]);
});
