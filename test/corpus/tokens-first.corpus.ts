import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { tokensFirst } from '../../src/sessions/tokens/tokens-first.ts';
import { USAGE_GROUPS } from '../../src/sessions/tokens/totals.ts';
import { openDesk } from '../fixtures/sessions/harness.ts';
import { tokensDiffer } from '../fixtures/sessions/token-records.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
const folders = ['claude_code', 'codex', 'gemini'].map((provider) => ({
  provider,
  path: join(corpus, 'data/sessions', provider),
}));

test('the tokens alone have the totals of the index, over all logs', async () => {
  const providers = [...PROVIDERS];
  const desk = await openDesk({ folders, providers });
  const archive = { folder: '/nowhere', on: false, unredacted: false, forgotten: [] };
  const first = tokensFirst(providers, folders, () => archive, { table: () => ({}) });
  for (const group of USAGE_GROUPS) {
    const index = await desk.sessions.usage.find(group, 'UTC', {});
    expect({ group, tokens: await first.find(group, 'UTC', {}) }).toEqual({ group, tokens: index });
  }
  await first.close();
  await desk.close();
}, 600_000);

test('the values of every record say the same about tokens as the whole record', () => {
  let counted = 0;
  for (const { provider: id, path } of folders) {
    const provider = PROVIDERS.find((known) => known.id === id);
    const files = readdirSync(path, { recursive: true, withFileTypes: true });
    for (const file of files.filter(({ name }) => name.endsWith('.jsonl')))
      for (const line of readFileSync(join(file.parentPath, file.name), 'utf8').split('\n')) {
        const { difference, counts } = provider ? tokensDiffer(provider, line) : { counts: false };
        expect(difference && { line, difference }).toBeUndefined();
        if (counts) counted++;
      }
  }
  expect(counted).toBeGreaterThan(5_000);
}, 600_000);
