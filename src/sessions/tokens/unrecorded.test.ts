import { afterAll, expect, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { openTables } from '../../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { PROVIDERS } from '../providers/index.ts';

const home = temporaryFolder();
for (const log of CLIENT_LOGS) placeLog(log, home);
const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
const { file } = await desk.sessions.database(new AbortController().signal);
const tables = openTables(file ?? '');
afterAll(async () => {
  tables.close();
  await desk.close(true);
});

/** Agents that lack a kind of tokens; those that record it only sometimes have none in these logs. */
const lacking = (kind: 'cached' | 'cacheWrite' | 'reasoning') =>
  PROVIDERS.filter(({ id, unrecorded }) => unrecorded?.[kind] === 'always' && id !== 'crush').map(
    ({ id }) => id,
  );

interface Card {
  readonly group: string;
  readonly total: number;
  readonly cached?: number;
  readonly cache_write?: number;
  readonly reasoning?: number;
}

test.each(['cli', 'rest', 'mcp', 'page'] as const)(
  'usage over %s leaves out what an agent does not record, instead of 0',
  async (door) => {
    const { data } = await desk.ask('usage', { by: 'agent', limit: 50 }, { door, budget: 100_000 });
    const cards: readonly Card[] = data.usage;
    const without = (name: 'cached' | 'cache_write' | 'reasoning') =>
      cards.filter((card) => card[name] === undefined).map(({ group }) => group);
    expect(without('cached').sort()).toEqual(['cursor', 'vscode_chat']);
    expect(without('cache_write')).toEqual(expect.arrayContaining(lacking('cacheWrite')));
    expect(without('reasoning')).toEqual(expect.arrayContaining(lacking('reasoning')));
    expect(cards.find(({ group }) => group === 'opencode')).toMatchObject({ cached: 4_205, cache_write: 0 });
    expect(data.unrecorded).toEqual([
      { kind: 'cached', agents: lacking('cached').sort() },
      { kind: 'cache_write', agents: lacking('cacheWrite').sort() },
      { kind: 'reasoning', agents: lacking('reasoning').sort() },
    ]);
  },
);

test('usage names the sessions whose logs have no tokens', async () => {
  const { data } = await desk.ask('usage', { by: 'month' });
  expect(data.without_tokens).toEqual([{ agent: 'crush', sessions: 1 }]);
  expect(
    (await desk.ask('usage', { by: 'month', provider: 'opencode' })).data.without_tokens,
  ).toBeUndefined();
  expect((await desk.ask('usage', { until: '2001-01-01' })).data.without_tokens).toBeUndefined();
  const none = await desk.text('usage', { provider: 'crush' });
  expect(none).toBe('No usage.\n1 session recorded no tokens: 1 of crush');
});

test('the text has a dash for them, and says what a sum over several agents lacks', async () => {
  const cursor = await desk.text('usage', { by: 'agent', provider: 'cursor' });
  expect(cursor).toMatch(/^cursor +4,120 +363 +- +- +4,483 /m);
  expect(cursor).toMatch(/^total +4,120 +363 +- +- +4,483 /m);
  const all = await desk.text('usage', { by: 'month' }, { budget: 100_000 });
  expect(all).toContain(
    '\nnot recorded: cache read by cursor, vscode_chat; cache write by cursor, gemini, qwen, vscode_chat\n' +
      '1 session recorded no tokens: 1 of crush',
  );
});

test('a session has no count of what its agent does not record', async () => {
  const [session] = await desk.sessions.list.page({ provider: 'cursor' }, undefined, 1);
  const { tokens } = (await desk.ask('get_session_summary', { session_id: session?.id })).data;
  expect(tokens).toMatchObject({ input: 4_120, output: 363 });
  expect(Object.keys(tokens)).not.toEqual(expect.arrayContaining(['cached']));
  expect(tokens.cache_write).toBeUndefined();
  expect(tokens.reasoning).toBeUndefined();
});

test('sql has NULL for them, for sessions without tokens, and for turns of logs with totals only', () => {
  expect(
    tables.ask(`SELECT agent, input, cached, cache_write, output, tokens, cost IS NULL AS unpriced FROM sessions
      WHERE agent IN ('crush', 'cursor', 'gemini') AND relation IS NULL ORDER BY agent`),
  ).toEqual([
    { agent: 'crush', input: null, cached: null, cache_write: null, output: null, tokens: null, unpriced: 1 },
    {
      agent: 'cursor',
      input: 4_120,
      cached: null,
      cache_write: null,
      output: 363,
      tokens: 4_483,
      unpriced: 1,
    },
    {
      agent: 'gemini',
      input: 2_036,
      cached: 3_004,
      cache_write: null,
      output: 454,
      tokens: 5_494,
      unpriced: 0,
    },
  ]);
  expect(
    tables.ask(`SELECT s.agent, SUM(u.cached) AS cached, SUM(u.reasoning) AS reasoning FROM usage u
      JOIN sessions s ON s.id = u.session WHERE s.agent IN ('cursor', 'codex') GROUP BY 1 ORDER BY 1`),
  ).toEqual([
    { agent: 'codex', cached: 4_807, reasoning: 160 },
    { agent: 'cursor', cached: null, reasoning: null },
  ]);
  expect(
    tables.ask(`SELECT s.agent, t.tokens FROM turns t JOIN sessions s ON s.id = t.session
      WHERE s.agent IN ('droid', 'crush') AND t.turn = 0 ORDER BY 1`),
  ).toEqual([
    { agent: 'crush', tokens: null },
    { agent: 'droid', tokens: null },
  ]);
});

test.each(['newest', 'cost'])('lists by %s have no cost for a model without a price', async (sort) => {
  const fields = 'id,cost_usd,total_tokens';
  const listed = async (provider: string) =>
    (await desk.ask('list_sessions', { provider, sort, fields, limit: 1 })).data.sessions[0];
  expect(await listed('cursor')).toMatchObject({ total_tokens: 4_483 });
  expect(await listed('cursor')).not.toHaveProperty('cost_usd');
  expect((await listed('gemini')).cost_usd).toBeGreaterThan(0);
});
