import { afterAll, expect, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { openTables } from '../../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { PROVIDERS } from '../providers/index.ts';

const TIMED = 'opencode';
const UNTIMED = ['aider', 'vscode_chat', 'zed'];

const home = temporaryFolder();
for (const log of CLIENT_LOGS) if ([TIMED, ...UNTIMED].includes(log.name)) placeLog(log, home);
const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
const { file } = await desk.sessions.database(new AbortController().signal);
const tables = openTables(file ?? '');
afterAll(async () => {
  tables.close();
  await desk.close(true);
});

const idOf = async (provider: string) =>
  (await desk.sessions.list.page({ provider }, undefined, 10)).findLast(({ turns }) => turns > 1)?.id ?? '';
const zed = await idOf('zed');

test.each(['cli', 'rest', 'mcp', 'page'] as const)(
  'over %s, turns have no duration if their agent does not record when it answers',
  async (door) => {
    for (const agent of UNTIMED) {
      const { data } = await desk.ask('get_session_turns', { session_id: await idOf(agent) }, { door });
      const turns: readonly object[] = data.turns;
      expect(turns).toHaveLength(2);
      for (const turn of turns) expect(turn).not.toHaveProperty('duration_seconds');
    }
    const { data } = await desk.ask('get_session_turns', { session_id: await idOf(TIMED) }, { door });
    expect(data.turns.map((turn: { duration_seconds: number }) => turn.duration_seconds)).toEqual([19, 13]);
  },
);

test.each(['cli', 'rest', 'mcp', 'page'] as const)(
  'over %s, a session without any times but its start has neither an end nor a duration',
  async (door) => {
    const { data } = await desk.ask('get_session_summary', { session_id: zed }, { door });
    expect(data.start_time).toBe('2026-11-16T00:46:49Z');
    expect(data).not.toHaveProperty('end_time');
    expect(data.stats).not.toHaveProperty('duration_seconds');
    const listed = (await desk.ask('list_sessions', { provider: 'zed' }, { door })).data.sessions;
    expect(listed).toHaveLength(1);
    expect(listed[0]).not.toHaveProperty('duration_seconds');
    const aider = (await desk.ask('list_sessions', { provider: 'aider' }, { door })).data.sessions;
    expect(aider.find(({ turn_count }: { turn_count: number }) => turn_count > 1)).toMatchObject({
      duration_seconds: 66,
    });
    const { a, b } = (await desk.ask('compare_sessions', { a: zed, b: await idOf(TIMED) }, { door })).data;
    expect(a).not.toHaveProperty('duration_seconds');
    expect(b).toMatchObject({ duration_seconds: 46 });
    expect((await desk.ask('brief', { session_id: zed }, { door })).data).not.toHaveProperty('end_time');
  },
);

test('texts leave them out, or have a dash', async () => {
  expect(await desk.text('get_session_summary', { session_id: zed })).toMatch(
    /^\S+ \d\d:\d\d {2}2 turns {2}/m,
  );
  expect(await desk.text('list_sessions', { provider: 'zed' })).not.toMatch(/\b0s\b/);
  expect(await desk.text('compare_sessions', { a: zed, b: await idOf(TIMED) })).toMatch(
    /^duration +- +46s$/m,
  );
  expect(await desk.text('brief', { session_id: zed })).toMatch(/^\S+ zed \S+ \d\d:\d\d$/m);
});

test('sql has NULL for them, and for calls whose result has the same time', () => {
  expect(
    tables.ask(`SELECT s.agent, s.ended IS NULL AS endless, s.minutes, t.minutes AS turn,
        (SELECT COUNT(*) FROM calls c WHERE c.session = s.id AND c.ms IS NOT NULL) AS timed
      FROM sessions s JOIN turns t ON t.session = s.id AND t.turn = 0
      WHERE s.turns > 1 ORDER BY s.agent`),
  ).toEqual([
    { agent: 'aider', endless: 0, minutes: 1.1, turn: null, timed: 0 },
    { agent: 'opencode', endless: 0, minutes: 0.8, turn: 0.3, timed: 3 },
    { agent: 'vscode_chat', endless: 0, minutes: 0.1, turn: null, timed: 0 },
    { agent: 'zed', endless: 1, minutes: null, turn: null, timed: 0 },
  ]);
});
