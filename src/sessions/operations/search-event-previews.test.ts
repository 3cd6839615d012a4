import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call, claude, codex, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('any case for small letters, any quoting, any script; newest first', async () => {
  const find = async (query: string, more = {}) =>
    (await desk.ask('search_event_previews', { query, ...more })).data.matches;
  expect(await find('please fix')).toMatchObject([
    { session_id: 'aaaaaaaa-1', event_index: 0, turn_index: 0, event_type: 'user' },
  ]);
  expect(await find('Please fix')).toHaveLength(0);
  expect(await find('error: "quoted"')).toHaveLength(4);
  expect(await find('Error: "quoted"')).toHaveLength(4);
  expect(await find('ERROR: "quoted"')).toHaveLength(0);
  expect(await find('"quoted" thing')).toHaveLength(4);
  expect(await find('\\"quoted\\" thing')).toHaveLength(4);
  expect(await find('文件')).toMatchObject([{ session_id: 'cccccccc' }]);
  expect(await find('grösse')).toHaveLength(0);
  expect(await find('größe')).toHaveLength(1);
  expect(await find('"command":"npm test"')).toHaveLength(4);
  const times = (await find('e', { limit: 50 })).map((match: { timestamp: string }) => match.timestamp);
  expect(times).toEqual([...times].sort().reverse());
});

test('filters and regular expressions', async () => {
  const find = async (input: object) =>
    (await desk.ask('search_event_previews', input as never)).data.matches;
  expect(await find({ query: 'exit code \\d+$', regex: true, event_type: 'tool_result' })).toHaveLength(4);
  expect(await find({ query: 'EXIT code \\d+$', regex: true, event_type: 'tool_result' })).toHaveLength(0);
  expect(await find({ query: 'npm test', event_type: 'ToolCall', session_id: A, limit: 2 })).toHaveLength(2);
  expect(await find({ query: 'patch', provider: 'claude-code' })).toHaveLength(0);
  expect(await find({ query: 'src/a.ts', project: '/srv/app', until: '2020-01-01' })).toHaveLength(0);
  expect((await desk.ask('search_event_previews', { query: '(', regex: true })).error.code).toBe(
    'invalid_parameter',
  );
});

test('the pages of a search list each hit once', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await desk.ask(
      'search_event_previews',
      cursor === undefined ? { query: 'npm', limit: 2 } : { cursor },
    );
    seen.push(...answer.data.matches.map((match: { event_index: number }) => match.event_index));
    cursor = answer.pagination.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([14, 12, 10, 8]);
});

test('the calling session does not find itself unless it asks by id', async () => {
  const own = { session: A };
  expect((await desk.ask('search_event_previews', { query: 'npm test' }, own)).data.matches).toEqual([]);
  expect(
    (await desk.ask('search_event_previews', { query: 'npm test', session_id: A }, own)).data.matches,
  ).toHaveLength(4);
  expect((await desk.ask('list_sessions', {}, own)).data.sessions).toHaveLength(3);
});

test('token counts are found only by their event type', async () => {
  const id = '01a1dcbf-5555-7555-8555-555555555555';
  writeLog(
    join(desk.folders.codex, `2026/03/01/rollout-${id}.jsonl`),
    lines([codex.meta(id), codex.user('count'), codex.said('one'), codex.tokens(1000, 1000)]),
  );
  await desk.sessions.reading.refresh();
  const find = async (input: object) => (await desk.ask('search_event_previews', { ...input })).data.matches;
  expect(await find({ query: 'output_tokens', event_type: 'TokenUsage', provider: 'codex' })).toMatchObject([
    {
      session_id: '01a1dcbf',
      event_type: 'token_usage',
      preview: expect.stringContaining('"total_tokens":1000'),
    },
  ]);
  expect(await find({ query: 'output_tokens' })).toEqual([]);
  // Other agents write them into their responses.
  const preview =
    '{"input_tokens":200,"cached_tokens":800,"output_tokens":60,"reasoning_tokens":10,"model":"gemini-2.5-pro"}';
  expect(await find({ event_type: 'token_usage', provider: 'gemini' })).toMatchObject([
    { event_index: 2, preview },
  ]);
  expect(await find({ query: 'opus', event_type: 'token_usage', session_id: A, limit: 50 })).toHaveLength(8);
  expect(await find({ query: 'Opus', event_type: 'token_usage', session_id: A })).toEqual([]);
});

test('a line that is not a record is shown as it is', async () => {
  const id = '01a1dcc0-5555-7555-8555-555555555555';
  const log = `${lines([codex.meta(id), codex.user('go')])}{"half": "a line\n${lines([codex.said('on')])}`;
  writeLog(join(desk.folders.codex, `2026/03/01/rollout-${id}.jsonl`), log);
  await desk.sessions.reading.refresh();
  const { data } = await desk.ask('get_event_details', { session_id: id, event_index: 2 });
  expect(data).toMatchObject({ record: 'bad line', text: '{"half": "a line\n' });
  expect((await desk.ask('get_session_summary', { session_id: id })).data.bad_lines).toBe(1);
});

test('a search explains how it works', async () => {
  const plan = async (input: object) =>
    (await desk.ask('search_event_previews', { ...input }, { explain: true, door: 'rest' })).data;
  expect(await plan({ query: 'npm test', provider: 'claude', session_id: A })).toMatchObject({
    kind: 'substring',
    filters: { provider: 'claude_code', session_id: A },
    blocks: { matching: expect.any(Number), hits: 4 },
  });
  const every = await plan({ query: '.', regex: true });
  expect(every.index).toBeUndefined();
  expect(every.blocks.read).toBe(every.blocks.candidates);
});

test('a long text is found anywhere in a longer one, and nowhere else', async () => {
  const id = '01a1dcc1-5555-7555-8555-555555555555';
  const passage = Array.from({ length: 150 }, (_, n) => `Word ${n} "of" it`).join('\n');
  const places = [0, 15_000, 15_500, 15_800, 16_000, 16_300, 31_000];
  const prompts = places.map((length) => codex.user(`${'x'.repeat(length)}${passage}${'y '.repeat(9_000)}`));
  writeLog(
    join(desk.folders.codex, `2026/03/01/rollout-${id}.jsonl`),
    lines([codex.meta(id), ...prompts, codex.user(`${passage.slice(0, 1000)} and something else`)]),
  );
  await desk.sessions.reading.refresh();
  const find = async (query: string) =>
    (await desk.ask('search_event_previews', { query, session_id: id, limit: 50 })).data.matches.length;
  expect(await find(passage)).toBe(places.length);
  expect(await find(passage.toLowerCase())).toBe(places.length);
  expect(await find(passage.toUpperCase())).toBe(0);
  expect(await find(JSON.stringify(passage).slice(1, -1))).toBe(places.length);
  expect(await find(passage.slice(0, 1000))).toBe(places.length + 1);
  expect(await find(`${passage}z`)).toBe(0);
});

test('among calls the name of a tool finds its calls, not every text that contains it', async () => {
  const id = 'eeeeeeee-5555-4555-8555-555555555555';
  const log = claude({ id });
  const asked = log.prompt('Read it');
  const reads = [0, 1].map((n) =>
    log.answer(`r${n}`, call(`toolu_read${n}`, 'Read', { file_path: `/srv/${n}.ts` })),
  );
  const shell = [0, 1, 2, 3].map((n) =>
    log.answer(`m${n}`, call(`s${n}`, 'Bash', { command: 'cat README.md' })),
  );
  writeLog(join(desk.folders.claude, 'p', `${id}.jsonl`), lines([asked, ...reads, ...shell]));
  await desk.sessions.reading.refresh();
  const previews = async (query: string, more = {}) => {
    const input = { query, session_id: id, event_type: 'ToolCall', limit: 20, ...more };
    const { data } = await desk.ask('search_event_previews', input);
    return data.matches.map(({ preview }: { preview: string }) => preview.split(' ')[0]);
  };
  expect(await previews('Read')).toEqual(['/srv/1.ts', '/srv/0.ts']);
  expect(await previews('Bash')).toEqual(['cat', 'cat', 'cat', 'cat']);
  expect(await previews('read')).toEqual(['Bash', 'Bash', 'Bash', 'Bash', 'Read', 'Read']);
  expect(await previews('readme')).toEqual(['Bash', 'Bash', 'Bash', 'Bash']);
  expect(await previews('Readme')).toEqual([]);
  expect(await previews('Read', { regex: true })).toHaveLength(2);
  expect(await previews('Read', { event_type: undefined })).toHaveLength(3);
  expect(await previews('"name":"Read"', { event_type: undefined })).toEqual(['/srv/1.ts', '/srv/0.ts']);
  expect(await previews('toolu_read0', { event_type: undefined })).toEqual(['/srv/0.ts']);
  expect(await previews('toolu_read2', { event_type: undefined })).toEqual([]);
});

test('calls by status and tool, with and without a text', async () => {
  const find = async (input: object) =>
    (await desk.ask('search_event_previews', { session_id: A, ...input })).data;
  const failed = await find({ status: 'failed' });
  expect(failed).toMatchObject({ total: 4, sessions: 1 });
  expect(failed.matches[0]).toEqual({
    session_id: 'aaaaaaaa-1',
    event_index: 15,
    turn_index: 1,
    step_index: 3,
    timestamp: expect.any(String),
    event_type: 'tool_result',
    tool: 'Bash',
    status: 'failed',
    preview: 'npm test → Error: "quoted" thing failed',
  });
  const events = async (input: object) =>
    (await find(input)).matches.map((match: { event_index: number }) => match.event_index);
  expect(await events({ status: 'ok' })).toEqual([5, 3]);
  expect(await events({ status: 'ok', tool: 'edit' })).toEqual([5]);
  expect(await events({ tool: 'Read', event_type: 'tool_call' })).toEqual([2]);
  expect(await events({ query: 'a.ts', tool: 'read' })).toEqual([2]);
  expect(await events({ query: 'last', tool: 'bash' })).toEqual([]);
  expect(await events({ query: 'npm', status: 'failed' })).toEqual([14, 12, 10, 8]);
  expect(await events({ check: 'test', status: 'failed' })).toEqual([15, 13, 11, 9]);
  expect(await events({ check: 'test', status: 'ok' })).toEqual([]);
  expect(await events({ check: 'lint' })).toEqual([]);
  expect(await events({ min_bytes: 30_000 })).toEqual([3]);
  expect((await desk.ask('search_event_previews', {})).error.message).toBe(
    'Give query, or one of event_type, status, tool, check, min_bytes.',
  );
});

test('oldest first, and only what was said', async () => {
  const find = async (input: object) =>
    (await desk.ask('search_event_previews', { session_id: A, ...input })).data.matches.map(
      (match: { event_index: number }) => match.event_index,
    );
  expect(await find({ query: 'npm test', order: 'oldest' })).toEqual([8, 10, 12, 14]);
  expect(await find({ query: 'parser', event_type: 'said' })).toEqual([0]);
  expect(await find({ event_type: 'said', order: 'oldest' })).toEqual([0, 6, 7, 16]);
  expect(await desk.text('search_event_previews', { query: 'I give up', order: 'oldest' })).toMatch(
    /^1 match in 1 session, oldest first\n/,
  );
});

test('the text names a session once, and the counts first', async () => {
  const text = await desk.text('search_event_previews', { query: 'npm test', limit: 2 });
  expect(text.split('\n').slice(0, 3)).toEqual([
    '4 matches in 1 session, newest first',
    'aaaaaaaa-1 e14 t1.3 03-01 call Bash failed  {"command":"npm test"}',
    ' e12 t1.2 03-01 call Bash failed  {"command":"npm test"}',
  ]);
});

test('previews begin with what a person said, not with what the agent writes around it', async () => {
  const id = 'ffffffff-5555-4555-8555-555555555555';
  const log = claude({ id });
  const around =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
  writeLog(
    join(desk.folders.claude, 'p', `${id}.jsonl`),
    lines([
      log.prompt('go'),
      log.answer('m1', call('r1', 'Bash', { command: 'rm it' })),
      log.result('r1', `${around}which rm do you mean?`, { error: true }),
      log.answer('m2', call('r2', 'Bash', { command: 'ls' })),
      log.result('r2', '<system-reminder>be kind</system-reminder>\nalpha beta'),
    ]),
  );
  await desk.sessions.reading.refresh();
  const preview = async (query: string) =>
    (await desk.ask('search_event_previews', { query, session_id: id })).data.matches[0].preview;
  expect(await preview('want to proceed')).toBe('which rm do you mean?');
  expect(await preview('do you')).toBe('which rm do you mean?');
  expect(await preview('beta')).toBe('alpha beta');
  expect(await preview('be kind')).toBe('<system-reminder>be kind</system-reminder> alpha beta');
});
