import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

/** Names as they are on the disk: one byte for each character. */
const root = temporaryFolder();
const raw = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);

mkdirSync(raw('stra\xdfe'));
writeFileSync(raw('stra\xdfe/caf\xe9.ts'), 'export function brewCoffee() {\n  return beans();\n}\n');
writeFileSync(raw('na\xefve.txt'), 'alpha\nbeta\n');
for (let at = 0; at < 20; at++) writeFileSync(join(root, `plain${at}.txt`), `alpha ${at}\n`);
const COFFEE = 'stra\\xdfe/caf\\xe9.ts';
const NAIVE = 'na\\xefve.txt';

const house = await temporaryApp();
const who = { roots: [root], cwd: root };
const search = async (input: Record<string, unknown>) =>
  (await ask(house, 'regex_search', { limit: 50, ...input }, who)).body;
type FileHits = { path: string; hits: { line: number }[] };
const lines = async (input: Record<string, unknown>): Promise<string[]> =>
  (await search(input)).data.matches.flatMap(({ path, hits }: FileHits) =>
    hits.map(({ line }) => `${path}:${line}`),
  );

test('exact search finds text in files whose names are not UTF-8', async () => {
  expect(await lines({ pattern: 'brewCoffee' })).toEqual([`${COFFEE}:1`]);
  // Without three letters to look up, ripgrep looks for the files.
  expect(await lines({ pattern: 'be' })).toEqual([`${NAIVE}:2`, `${COFFEE}:2`]);
  expect(await lines({ pattern: '.', glob: ['*.ts'] })).toEqual([
    `${COFFEE}:1`,
    `${COFFEE}:2`,
    `${COFFEE}:3`,
  ]);
  expect(await lines({ pattern: 'alpha\\nbeta', multiline: true })).toEqual([`${NAIVE}:1`, `${NAIVE}:2`]);
  expect((await search({ pattern: 'zq' })).meta.skipped).toBeUndefined();
});

test('counts and lists of files have them', async () => {
  const { data } = await search({ pattern: 'al', output: 'count' });
  expect(data.count).toEqual({ hits: 21, files: 21 });
  expect(
    (await search({ pattern: 'be', output: 'files' })).data.files.map(({ path }: { path: string }) => path),
  ).toEqual([NAIVE, COFFEE]);
});

test('the name in an answer leads back to the file', async () => {
  expect(await lines({ pattern: 'e', path: NAIVE })).toEqual([`${NAIVE}:2`]);
  expect(await lines({ pattern: 'brew', path: 'stra\\xdfe' })).toEqual([`${COFFEE}:1`]);
  const { body } = await ask(house, 'outline', { path: COFFEE }, who);
  expect(body.data.definitions).toMatchObject([{ name: 'brewCoffee', line_start: 1, line_end: 3 }]);
});

test('search by meaning and symbols have them', async () => {
  await expect
    .poll(
      async () =>
        (await ask(house, 'hybrid_search', { query: 'brew coffee beans' }, who)).body.data.matches[0],
    )
    .toMatchObject({ path: COFFEE, symbol: 'brewCoffee' });
  const { body } = await ask(house, 'symbol', { name: 'brewCoffee' }, who);
  expect(JSON.stringify(body.data)).toContain(JSON.stringify(COFFEE).slice(1, -1));
});

test('changes are seen at once: edits, new files, renamed folders', async () => {
  writeFileSync(raw('stra\xdfe/caf\xe9.ts'), 'export const tea = 1;\n');
  expect(await lines({ pattern: 'brewCoffee|tea' })).toEqual([`${COFFEE}:1`]);
  writeFileSync(raw('stra\xdfe/\xff'), 'tea\n');
  expect(await lines({ pattern: '\\btea' })).toEqual(['stra\\xdfe/\\xff:1', `${COFFEE}:1`]);
  renameSync(raw('stra\xdfe'), raw('stra\xa7e'));
  expect(await lines({ pattern: '\\btea' })).toEqual(['stra\\xa7e/\\xff:1', 'stra\\xa7e/caf\\xe9.ts:1']);
});
