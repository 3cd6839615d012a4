import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryFolder, temporaryHouse } from './support.ts';

const house = await temporaryHouse();
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
      await expect
        .poll(async () => (await house.services.jobs.get(job_id))?.status, { timeout: 30_000 })
        .toBe('done');
    }
    for (const pattern of [key, token, key.slice(2, 12), token.slice(4, 14), `'${key.slice(0, 8)}\\w+'`]) {
      const { body, answer } = await search('regex_search', { pattern });
      expect(body.data.matches ?? []).toEqual([]);
      expect(answer.text).not.toMatch(new RegExp(`${key}|${token}`));
    }
    const { body } = await search('regex_search', { pattern: 'export const (key|token)' });
    expect(body.data.matches[0].hits.map((hit: { text: string }) => hit.text)).toEqual([
      "export const key = '[redacted:aws]';",
      "export const token = '[redacted:github]';",
    ]);
  }
});

test('neither does a search by meaning show one, nor the link it comes with', async () => {
  for (const query of [key, token]) {
    const { answer } = await search('hybrid_search', { query });
    expect(answer.text).not.toContain(query);
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
  expect(answer.text).not.toContain(word);
  const kept = readdirSync(house.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const holding = (text: string) =>
    kept.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
  expect(holding('connectfast').length).toBeGreaterThan(0);
  expect(holding(word)).toEqual([]);
});
