import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { tokensFirst } from '../../src/sessions/tokens/tokens-first.ts';
import { USAGE_GROUPS } from '../../src/sessions/tokens/totals.ts';
import { openDesk } from '../fixtures/sessions/harness.ts';

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
    const index = await desk.sessions.usage.by(group, 'UTC', {});
    expect({ group, lines: await first.by(group, 'UTC', {}) }).toEqual({ group, lines: index });
  }
  await first.close();
  await desk.close();
}, 600_000);
