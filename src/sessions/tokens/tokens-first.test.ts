import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLIENT_LOGS, filesOf, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { claude, lines, resetClock, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { allLogs } from '../ingest/plan-scan.ts';
import { logHash } from '../ingest/reader-messages.ts';
import { PROVIDERS } from '../providers/index.ts';
import { tokensFirst } from './tokens-first.ts';
import { USAGE_GROUPS } from './totals.ts';

const providers = [...PROVIDERS];
const LIST_PRICES = { table: () => ({}) };
const NO_ARCHIVE = { folder: '/nowhere', on: false, unredacted: false, forgotten: [] };

/** Totals of a home by every grouping: of the index, and of the tokens alone. */
async function bothTotals(home: string) {
  const desk = await openDesk({ home, folders: undefined, providers });
  const first = tokensFirst(providers, desk.sessions.reading.folders, () => NO_ARCHIVE, LIST_PRICES);
  const both = [];
  for (const group of USAGE_GROUPS) {
    const index = await desk.sessions.usage.find(group, 'UTC', { split: 'model' });
    both.push({ group, index, tokens: await first.find(group, 'UTC', { split: 'model' }) });
  }
  await first.close();
  await desk.close(true);
  return both;
}

async function expectSame(home: string): Promise<number> {
  const both = await bothTotals(home);
  for (const { group, index, tokens } of both) expect({ group, tokens }).toEqual({ group, tokens: index });
  return both[0]?.index.lines.reduce((sum, { total }) => sum + total, 0) ?? 0;
}

test('the tokens alone have the totals of the index, for logs of every agent', async () => {
  const home = temporaryFolder();
  for (const log of CLIENT_LOGS) placeLog(log, home);
  expect(await expectSame(home)).toBeGreaterThan(50_000);
});

test('the same while logs grow, and with copies of them', async () => {
  const share = fc.constantFrom(0, 0.3, 0.55, 0.8, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ log: fc.constantFrom(...CLIENT_LOGS), share, copied: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
      async (chosen) => {
        const home = temporaryFolder();
        for (const { log, share: part, copied } of chosen) {
          if (part > 0) placeLog(log, home, part);
          if (!copied) continue;
          // A log that has its name from its folder would be another session in another one.
          for (const path of filesOf(log).filter((name) => /[^/]*\d[^/]*\.jsonl$/.test(name))) {
            const copy = join(home, dirname(path), 'again', path.replace(/^.*\//, ''));
            mkdirSync(dirname(copy), { recursive: true });
            copyFileSync(join(log.home, path), copy);
          }
        }
        await expectSame(home);
      },
    ),
    { numRuns: 12 },
  );
});

test('records are skipped only after the session is known', async () => {
  resetClock();
  const home = temporaryFolder();
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  const main = claude({ id, cwd: '/srv/app' });
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => [
      main.prompt(`question ${from + n}`),
      main.answer(
        `msg_${String(from + n).padStart(24, '0')}`,
        text('answer "usage": {"input_tokens": 9} \\" }'),
      ),
    ]).flat();
  const named = { type: 'custom-title', sessionId: id, customTitle: 'Größer' };
  const spent = {
    type: 'cost-state',
    sessionId: id,
    modelUsage: {
      'claude-opus-4-5': { inputTokens: 9_000_000, outputTokens: 1, cacheReadInputTokens: 0 },
      'claude-haiku-4-5': { inputTokens: 77, outputTokens: 7 },
    },
  };
  writeLog(
    join(home, '.claude/projects/p', `${id}.jsonl`),
    lines([...many(0, 30), named, ...many(30, 30), spent, main.prompt('the last one')]),
  );
  writeFileSync(join(home, '.claude/projects/p', 'bad.jsonl'), '{"type":"user"\nnot json\n');
  const both = await bothTotals(home);
  for (const { group, index, tokens } of both) expect({ group, tokens }).toEqual({ group, tokens: index });
  const sessions = both.find(({ group }) => group === 'session')?.tokens;
  expect(sessions?.lines).toMatchObject([{ group: id, title: 'Größer' }]);
  expect(sessions?.lines[0]?.models).toContain('claude-haiku-4-5');
});

test('a forgotten log is not counted', async () => {
  const home = temporaryFolder();
  for (const log of CLIENT_LOGS) placeLog(log, home);
  const desk = await openDesk({ home, folders: undefined, providers });
  const { folders } = desk.sessions.reading;
  const paths = allLogs(providers, folders, NO_ARCHIVE).map(({ log }) => log.path);
  const forgotten = paths.map(logHash);
  const first = tokensFirst(providers, folders, () => ({ ...NO_ARCHIVE, forgotten }), LIST_PRICES);
  expect(paths.length).toBeGreaterThan(5);
  expect(await first.find('model', 'UTC', {})).toEqual({ lines: [], withoutTokens: [] });
  await first.close();
  await desk.close(true);
});

test('a subagent that only the progress records of its parent tell about is counted once', async () => {
  const home = temporaryFolder();
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  const agentId = 'a0ad4f44468bdf20d';
  const log = claude({ id });
  const agent = claude({ id, extra: { isSidechain: true, agentId } });
  const spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 700 };
  const answers = [1, 2].map((n) => agent.answer(`msg_000000000000000${n}`, text('found'), spent));
  const progress = answers.map(({ message, type, timestamp }) => ({
    ...{ type: 'progress', sessionId: id, cwd: '/srv/app', timestamp },
    data: { type: 'agent_progress', agentId, message: { type, timestamp, message }, normalizedMessages: [] },
  }));
  const before = Array.from({ length: 80 }, (_, n) => log.prompt(`number ${n}`));
  const folder = join(home, '.claude/projects/-srv-app');
  writeLog(join(folder, `${id}.jsonl`), lines([...before, ...progress]));
  expect(await expectSame(home)).toBe(1400);
  writeLog(
    join(folder, id, `subagents/agent-${agentId}.jsonl`),
    lines([agent.prompt('find it'), answers[0]]),
  );
  expect(await expectSame(home)).toBe(1400);
});
