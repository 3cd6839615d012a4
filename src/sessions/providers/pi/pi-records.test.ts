import { expect, test } from 'vitest';
import { pi } from './index.ts';

const used = { input: 10, output: 5, cacheRead: 50_000, cacheWrite: 0, totalTokens: 50_015 };

test('tokens of requests that are no messages are counted (pi 1.5.0)', () => {
  const record = { id: 'f6', parentId: 'e5', timestamp: '2026-11-16T20:00:00.000Z', usage: used };
  for (const about of [
    { type: 'usage', kind: 'cache_warm', provider: 'anthropic', model: 'claude-sonnet-4-5' },
    { type: 'compaction', summary: 'Done so far', firstKeptEntryId: 'c3', tokensBefore: 50_000 },
    { type: 'branch_summary', fromId: 'd4', summary: 'A' },
  ])
    expect(pi.read({ ...record, ...about })).toMatchObject({
      known: true,
      usage: { id: 'pi:f6:2026-11-16T20:00:00.000Z', usage: { input: 10, cached: 50_000, output: 5 } },
    });
});

test('changes of the prompt and of the context are known and silent (pi 1.5.0)', () => {
  const system = { role: 'system', content: '', sections: { cwd: '/p' }, toolsAdded: [], timestamp: 1 };
  for (const record of [
    { type: 'message', id: 'a', message: system },
    { type: 'context_edit', id: 'b', targetId: 'a', replacement: null },
  ])
    expect(pi.read(record)).toMatchObject({ known: true, parts: [{ silent: true }] });
});
