import { afterAll, expect, test } from 'vitest';
import { A, G, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk, paths } = await sampleDesk();
afterAll(() => desk.close());

test('list, summary, turns, steps, event: each leads to the next', async () => {
  const list = await desk.ask('list_sessions', {});
  const ids = list.data.sessions.map((session: { id: string }) => session.id);
  expect(ids).toEqual(['cccccccc', '01a1dcbe', 'aaaaaaaa-2', 'aaaaaaaa-1']);
  const summary = await desk.ask('get_session_summary', { session_id: 'aaaaaaaa-1' });
  expect(summary.data).toMatchObject({
    session_id: A,
    stats: { total_turns: 2, tool_calls: 6, failures: 4 },
    first_prompt: 'please fix the parser',
    last_message: 'I give up.',
    files: [{ path: 'src/a.ts', reads: 1, edits: 1 }],
  });
  const turns = await desk.ask('get_session_turns', { session_id: A });
  expect(turns.data.turns).toMatchObject([
    { turn_index: 0, outcome: 'success', step_count: 3, tools: { Read: 1, Edit: 1 } },
    { turn_index: 1, outcome: 'failed', failed_tools: 4, key_actions: ['npm test ×4 (4 failed)'] },
  ]);
  expect(turns.next).toEqual([
    { operation: 'get_turn_steps', input: { session_id: 'aaaaaaaa-1', turn_index: 1 } },
  ]);
  const steps = await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 });
  const [first] = steps.data.steps;
  expect(first).toMatchObject({
    step_index: 0,
    event_index: 1,
    reasoning: 'I need to look at the parser first.',
  });
  expect(first.tools[0].result).toMatch(/…\[\+\d+ bytes\]$/);
  const event = await desk.ask('get_event_details', {
    session_id: A,
    event_index: first.tools[0].result_event,
  });
  expect(event.data).toMatchObject({
    event_type: 'tool_result',
    turn_index: 0,
    step_index: 0,
    call_event: 2,
    total_bytes: 39_013,
  });
  expect(event.size).toBeLessThanOrEqual(8_000);
  expect(event.size).toBeGreaterThan(7_500);
  const end = await desk.ask('get_event_details', { session_id: A, event_index: 3, offset: 39_000 });
  expect(end.data.text).toBe('the last line');
});

test('sessions that are named, in one answer', async () => {
  const idsIn = async (ids: unknown) => {
    const { data } = await desk.ask('list_sessions', { ids, fields: 'id' });
    return data.sessions.map(({ id }: { id: string }) => id);
  };
  expect(await idsIn('aaaaaaaa-1,cccccccc')).toEqual(['cccccccc', 'aaaaaaaa-1']);
  expect(await idsIn([A])).toEqual(['aaaaaaaa-1']);
  expect((await desk.ask('list_sessions', { ids: 'zzzzzzzz' })).error).toMatchObject({
    code: 'session_not_found',
  });
});

test('an ambiguous prefix lists the matches; a wrong index names the range', async () => {
  const { error } = await desk.ask('get_session_summary', { session_id: 'aaaaaaaa' });
  expect(error).toMatchObject({
    code: 'ambiguous_session_prefix',
    details: { matches: ['aaaaaaaa-1', 'aaaaaaaa-2'] },
  });
  expect((await desk.ask('get_turn_steps', { session_id: A, turn_index: 9 })).error).toMatchObject({
    code: 'invalid_turn_index',
    message: expect.stringContaining('0..1'),
  });
  expect((await desk.ask('get_event_details', { session_id: A, event_index: 99 })).error).toMatchObject({
    code: 'invalid_event_index',
    message: expect.stringContaining('0..16'),
  });
  expect((await desk.ask('list_sessions', { provider: 'notepad' })).error.message).toContain(
    'claude_code, codex, gemini',
  );
  expect((await desk.ask('list_sessions', { since: 'yesterday-ish' })).error.code).toBe('invalid_parameter');
});

test('a log is also found by its path', async () => {
  expect((await desk.ask('get_session_summary', { session_id: paths[0] })).data.session_id).toBe(A);
});

test('a session is also found by its id in upper case', async () => {
  expect((await desk.ask('get_session_summary', { session_id: 'CCCCCCCC' })).data.session_id).toBe(G);
  expect((await desk.ask('get_session_summary', { session_id: A.toUpperCase() })).data.session_id).toBe(A);
});

test('fields: only those asked for, all by default, and an error for others', async () => {
  const list = async (fields: unknown) => desk.ask('list_sessions', { fields, limit: 1 });
  expect((await list(['provider', 'model'])).data.sessions).toEqual([
    { id: 'cccccccc', provider: 'gemini', model: 'gemini-2.5-pro' },
  ]);
  expect((await list('turn_count, total_tokens')).data.sessions).toEqual([
    { id: 'cccccccc', turn_count: 1, total_tokens: 1065 },
  ]);
  expect((await list([])).data.sessions).toEqual((await list(undefined)).data.sessions);
  expect((await list(['tokens'])).error).toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringMatching(/^Unknown field 'tokens'\. Fields: id, provider, .*, note\.$/),
  });
});

test('sorted by cost, tokens or failures; pages go on', async () => {
  const ids = async (input: object) =>
    (await desk.ask('list_sessions', { ...input })).data.sessions.map((card: { id: string }) => card.id);
  expect(await ids({ sort: 'tokens' })).toEqual(['aaaaaaaa-1', 'aaaaaaaa-2', 'cccccccc', '01a1dcbe']);
  expect((await ids({ sort: 'failed' }))[0]).toBe('aaaaaaaa-1');
  const first = await desk.ask('list_sessions', { sort: 'cost', limit: 1 });
  expect(first.data.sessions[0]).toMatchObject({ id: 'aaaaaaaa-1', cost_usd: expect.any(Number) });
  const next = await desk.ask('list_sessions', { cursor: first.pagination.next_cursor });
  expect(next.data.sessions[0].id).toBe('aaaaaaaa-2');
});

test('only sessions with such calls', async () => {
  const ids = async (input: object) =>
    (await desk.ask('list_sessions', { ...input })).data.sessions.map((card: { id: string }) => card.id);
  expect(await ids({ status: 'failed' })).toEqual(['aaaaaaaa-1']);
  expect(await ids({ tool: 'apply_patch' })).toEqual(['01a1dcbe']);
  expect(await ids({ tool: 'Read', status: 'ok' })).toEqual(['aaaaaaaa-1']);
});

test('only the last session of each project', async () => {
  const { sessions } = (await desk.ask('list_sessions', { per_project: true, fields: 'project' })).data;
  expect(sessions).toEqual([
    { id: 'cccccccc', project: expect.any(String) },
    { id: '01a1dcbe', project: '/srv/app' },
  ]);
});

test('the last prompt and message on request, and one line for each session otherwise', async () => {
  const [session] = (
    await desk.ask('list_sessions', { fields: 'project,last_prompt,last_message', tool: 'Bash' })
  ).data.sessions;
  expect(session).toEqual({
    id: 'aaaaaaaa-1',
    project: '/srv/app',
    last_prompt: 'now test it',
    last_message: 'I give up.',
  });
  const text = async (input: object) =>
    (await desk.text('list_sessions', { tool: 'Bash', ...input })).split('\n');
  expect(await text({ fields: 'project,last_prompt,last_message' })).toEqual([
    'aaaaaaaa-1 /srv/app',
    '  asked: now test it',
    '  said: I give up.',
  ]);
  expect((await text({}))[0]).toBe(
    'aaaaaaaa-1 claude 03-01 10:00 16s 2 turns 9.04k tok 4 failed  please fix the parser',
  );
});

test('a project is found by its path, relative to the caller, and by its hash', async () => {
  const hash = (await desk.ask('get_session_summary', { session_id: A })).data.project.hash;
  const ids = async (project: string, cwd = '/') =>
    (await desk.ask('list_sessions', { project }, { cwd })).data.sessions.length;
  expect(await ids('/srv/app/')).toBe(3);
  expect(await ids('.', '/srv/app')).toBe(3);
  expect(await ids('../app', '/srv/web')).toBe(3);
  expect(await ids('.', '/srv/web')).toBe(0);
  expect(await ids(hash)).toBe(3);
  expect(await ids('app')).toBe(3);
  expect(await ids('srv/App')).toBe(3);
  expect(await ids('pp')).toBe(0);
});

test('a date alone is a whole day', async () => {
  const on = async (since: string, until: string) =>
    (await desk.ask('list_sessions', { since, until })).data.sessions.length;
  expect(await on('2026-03-01', '2026-03-01')).toBe(4);
  expect(await on('20260301', '20260301')).toBe(4);
  expect(await on('2026-02-28', '2026-02-28')).toBe(0);
  expect(await on('2026-03-02', '2026-03-02')).toBe(0);
});

test('over REST each row has a link; over MCP it does not', async () => {
  const rows = async (door: 'rest' | 'mcp') => {
    const ask = async (operation: string, input: object) =>
      (await desk.ask(operation, { ...input }, { door })).data;
    const [session] = (await ask('list_sessions', { limit: 1 })).sessions;
    const [turn] = (await ask('get_session_turns', { session_id: A })).turns;
    const [match] = (await ask('search_event_previews', { query: 'npm test', session_id: A, limit: 1 }))
      .matches;
    const [touch] = (await ask('file_history', { path: 'src/a.ts', limit: 1 })).touches;
    return { session, turn, match, touch };
  };
  const { session, turn, match, touch } = await rows('rest');
  const base = 'http://127.0.0.1:4747/api/agent-sessions';
  expect(session.link).toBe(`${base}/${session.id}`);
  expect(turn.link).toBe(`${base}/aaaaaaaa-1/turns/0/steps`);
  expect(match.link).toBe(`${base}/aaaaaaaa-1/events/${match.event_index}`);
  expect(touch.link).toBe(`${base}/${touch.session_id}/events/${touch.event_index}`);
  for (const row of Object.values(await rows('mcp'))) expect(row).not.toHaveProperty('link');
});

test('a narrow terminal leaves out columns rather than titles', async () => {
  const shown = async (columns: number) =>
    (await desk.text('list_sessions', {}, { door: 'cli', terminal: { columns, unicode: true } })).split('\n');
  const [wide = '', ...rest] = await shown(120);
  expect(wide).toMatch(/^cccccccc +gemini .* turns? .* tok .*\S$/);
  const [narrow = ''] = await shown(60);
  expect(narrow).toMatch(/^cccccccc +\d\d-\d\d \d\d:\d\d /);
  expect(narrow).not.toContain('gemini');
  const title = /\S+$/.exec(wide)?.[0] ?? '';
  expect(narrow.slice(0, 60)).toContain(title);
  expect(rest.length).toBeGreaterThan(0);
});
