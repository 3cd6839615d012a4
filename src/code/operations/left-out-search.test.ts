import { realpathSync } from 'node:fs';
import { beforeAll, beforeEach, expect, test } from 'vitest';
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

const search = async (input: Record<string, unknown>) =>
  (await ask(house, 'regex_search', input, { roots: [root], cwd: root })).body;

/** A log whose lines are so long that a search of many folders leaves it out. */
const record = (text: string) =>
  JSON.stringify({ before: 'x'.repeat(3_000), text, after: 'y'.repeat(3_000) });
const log = (text: string) =>
  `${Array.from({ length: 9 }, (_, i) => record(i === 4 ? text : '-')).join('\n')}\n`;

test('a folder that has only logs with long lines is searched, and lines are cut around the match', async () => {
  writeFiles(root, {
    'logs/a.jsonl': log('the needle'),
    'logs/b.jsonl': log('hay'),
    'src/main.ts': 'needle\n',
  });
  const { data, pagination } = await search({ pattern: 'needle', path: 'logs' });
  expect(data.matches).toMatchObject([{ path: 'logs/a.jsonl', hits: [{ line: 5 }] }]);
  expect(data.matches[0].hits[0].text).toContain('the needle');
  expect(data.matches[0].hits[0].text.length).toBeLessThan(1_000);
  expect(pagination).toMatchObject({ total_in_page: 1, has_more: false });
  // Known to the index by now.
  expect((await search({ pattern: 'needle', path: 'logs', output: 'count' })).data.count).toEqual({
    hits: 1,
    files: 1,
  });
  expect((await search({ pattern: 'nothing', path: 'logs' })).data.note).toBe('No match in 2 files.');
});

test('beside other files they are left out', async () => {
  writeFiles(root, { 'a.jsonl': log('the needle'), 'main.ts': 'needle\n' });
  const { data, meta } = await search({ pattern: 'needle' });
  expect(data.matches).toMatchObject([{ path: 'main.ts' }]);
  expect(meta.skipped).toMatchObject({ minified: 1 });
});
