import { realpathSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

let app: OpenApp;
let root = '';
beforeAll(async () => {
  app = await temporaryApp();
  root = realpathSync(temporaryFolder());
  writeFiles(root, {
    'one/a.txt': 'alpha 1\nbeta\nalpha 2\n',
    'two/b.txt': 'alpha 3\n',
    'two/many.txt': Array.from({ length: 400 }, (_, at) => `gamma line number ${at}\n`).join(''),
  });
});

const search = async (input: Record<string, unknown>, who = {}) => {
  const { answer, body } = await ask(app, 'regex_search', input, { roots: [root], cwd: root, ...who });
  return { answer, text: answer.rendered.text, ...body };
};
const asText = { format: 'text', door: 'mcp' };

describe('regex_search for several things at once', () => {
  it('answers each search under its own head', async () => {
    const input = {
      searches: [
        { pattern: 'alpha', path: 'one' },
        { pattern: 'beta|gamma', path: 'one', output: 'count' },
        { pattern: 'delta' },
        { pattern: 'alpha', output: 'files' },
      ],
    };
    const { data, pagination } = await search(input);
    expect(data.searches).toEqual([
      {
        number: 1,
        pattern: 'alpha',
        path: 'one',
        total: 2,
        matches: [
          {
            path: 'one/a.txt',
            hits: [
              { line: 1, text: 'alpha 1' },
              { line: 3, text: 'alpha 2' },
            ],
          },
        ],
      },
      { number: 2, pattern: 'beta|gamma', path: 'one', count: { hits: 1, files: 1 } },
      { number: 3, pattern: 'delta', note: 'No match in 3 files.' },
      {
        number: 4,
        pattern: 'alpha',
        files: [
          { path: 'one/a.txt', hits: 2 },
          { path: 'two/b.txt', hits: 1 },
        ],
      },
    ]);
    expect(pagination.has_more).toBe(false);
    const { text } = await search(input, asText);
    expect(text).toBe(
      [
        '1. alpha: 2',
        'one/a.txt',
        '  1  alpha 1',
        '  3  alpha 2',
        '2. beta|gamma in one',
        '1 match in 1 file',
        '3. delta',
        'No match in 3 files.',
        '4. alpha',
        'one/a.txt: 2',
        'two/b.txt: 1',
      ].join('\n'),
    );
  });

  it('takes a list of patterns and a list of paths, and what all share once', async () => {
    const { data } = await search({ pattern: ['alpha', 'ALPHA'], path: ['one', 'two'], case: 'sensitive' });
    expect(
      data.searches.map(({ pattern, path, total = 0 }: Record<string, unknown>) => [pattern, path, total]),
    ).toEqual([
      ['alpha', 'one', 2],
      ['alpha', 'two', 1],
      ['ALPHA', 'one', 0],
      ['ALPHA', 'two', 0],
    ]);
  });

  it('shares one budget fairly, and goes on with a cursor', async () => {
    const input = {
      searches: [{ pattern: 'gamma', path: 'two' }, { pattern: 'alpha' }, { pattern: 'line number 39' }],
    };
    const first = await search(input, { ...asText, budget: 2000 });
    expect(first.answer.rendered.bytes).toBeLessThanOrEqual(2000);
    // The long list does not push the short ones out.
    expect(first.text).toContain('alpha 3');
    expect(first.text).toMatch(/^1\. gamma: \d+ of 400$/m);
    expect(first.text).toContain('line number 399');
    expect(first.text).toMatch(/^more: cursor=/m);
    const seen = new Set(first.text.match(/gamma line number \d+/g));
    let cursor = /cursor=(\S+)/.exec(first.text)?.[1];
    while (cursor !== undefined) {
      const { text } = await search({ cursor }, { ...asText, budget: 4000 });
      expect(text).not.toContain('alpha');
      for (const line of text.match(/gamma line number \d+/g) ?? []) seen.add(line);
      cursor = /cursor=(\S+)/.exec(text)?.[1];
    }
    expect(seen.size).toBe(400);
  });

  it('says what is wrong with one search below its head, and fails if all are wrong', async () => {
    const { data } = await search({ searches: [{ pattern: 'alpha(' }, { pattern: 'beta' }] });
    expect(data.searches[0].note).toMatch(/unclosed group/);
    expect(data.searches[1].total).toBe(1);
    const failed = await search({ searches: [{ pattern: 'a(' }, { pattern: 'b(' }] });
    expect(failed.error.code).toBe('invalid_parameter');
    const none = await search({ path: 'one' });
    expect(none.error.message).toMatch(/^pattern is required/);
    const toFile = await search({ pattern: ['a', 'b'], output: 'file' });
    expect(toFile.error.message).toMatch(/output=file takes one search/);
  });

  it('searches folders of different trees in one call', async () => {
    const other = realpathSync(temporaryFolder());
    writeFiles(other, { 'c.txt': 'alpha 9\n' });
    const { text } = await search(
      { pattern: 'alpha \\d', path: ['one', other] },
      { ...asText, roots: [root, other] },
    );
    expect(text).toContain('1. alpha \\d: 2');
    expect(text).toContain(`2. alpha \\d: 1\nin ${other}:\nc.txt\n  1  alpha 9`);
  });

  it('shows some hits of each alternative of a pattern, with its total, if not all fit', async () => {
    const { text } = await search({ pattern: 'gamma|alpha [13]|nowhere' }, { ...asText, budget: 2000 });
    const heads = text.split('\n').filter((line: string) => /^\d\. /.test(line));
    expect(heads).toEqual([
      expect.stringMatching(/^1\. gamma: \d+ of 400$/),
      '2. alpha [13]: 2',
      '3. nowhere',
    ]);
    expect(text).toContain('alpha 3');
    expect(text).toContain('No match in 3 files.');
    const fits = await search({ pattern: 'beta|alpha [13]' }, asText);
    expect(fits.text).toBe('one/a.txt\n  1  alpha 1\n  2  beta\ntwo/b.txt\n  1  alpha 3');
    // The case of the whole pattern counts: `Gamma` has a capital.
    const cased = await search({ pattern: 'Gamma|line number' }, { ...asText, budget: 2000 });
    expect(cased.text).toContain('1. Gamma\nNo match');
    const { data } = await search({ pattern: 'gamma|alpha' }, { budget: 2000 });
    expect(data.matches[0].path).toBe('one/a.txt');
  });
});
