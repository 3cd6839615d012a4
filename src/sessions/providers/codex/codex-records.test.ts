import { describe, expect, test } from 'vitest';
import { codex, lines, tick } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';
import { FLAG } from '../../model/event-rows.ts';

const ID = '01a1dcbe-0000-7000-8000-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('codex', 'rollout.jsonl', Buffer.from(lines(records)));

describe('Codex logs', () => {
  test('what is told as item and as event is one message, in either order', () => {
    const { turns, events } = read([
      codex.meta(ID),
      codex.userItem('<environment_context>\n<cwd>/srv</cwd>\n</environment_context>'),
      codex.userItem('hello'),
      codex.user('hello'),
      codex.saidEvent('Hi.'),
      codex.said('Hi.'),
      codex.user('again'),
      codex.userItem('again'),
      codex.said('Hi.'),
      codex.saidEvent('Hi.'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['hello', 'again']);
    const told = events.filter((event) => (event.flags & FLAG.mirror) === 0 && event.type === 'message');
    expect(told.map((event) => event.turn)).toEqual([0, 1]);
  });

  test('calls of one response stay one step when answers come between them', () => {
    const { turns } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.said('Looking.'),
      codex.call('a', 'shell', { command: ['bash', '-lc', 'ls'] }),
      codex.output('a', '{"output":"x","metadata":{"exit_code":0}}'),
      codex.call('b', 'shell', { command: ['bash', '-lc', 'cat x'] }),
      codex.output('b', '{"output":"no","metadata":{"exit_code":1}}'),
      codex.context(),
      codex.call('c', 'shell', { command: ['bash', '-lc', 'pwd'] }),
      codex.output('c', '{"output":"/","metadata":{"exit_code":0}}'),
      codex.tokens(100, 100),
      codex.said('Done.'),
    ]);
    expect(turns[0]).toMatchObject({ steps: 3, calls: 3, failed: 1 });
  });

  test('totals that are written twice count once, and a reset counts its last request', () => {
    const { usage } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.tokens(1000, 1000),
      codex.tokens(1000, 1000),
      codex.tokens(2500, 1500),
      codex.tokens(400, 400),
      codex.tokens(400, 400),
    ]);
    const total = usage.map(({ usage: u }) => u.input + u.cached + u.output);
    expect(total).toEqual([1000, 1500, 400]);
    expect(usage[0]?.usage).toEqual({
      input: 450,
      cached: 450,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: 100,
      reasoning: 50,
      tool: 0,
    });
  });

  test('exact records of responses replace running totals', () => {
    const record = (id: string, total: number) => ({
      timestamp: tick(),
      type: 'token_usage_record',
      payload: { response_id: `resp_${id.repeat(16)}`, usage: { input_tokens: total, output_tokens: 0 } },
    });
    const { usage } = read([
      codex.meta(ID),
      codex.user('go'),
      record('a', 10),
      codex.tokens(10, 10),
      record('b', 20),
      codex.tokens(30, 20),
    ]);
    expect(usage.map((row) => [row.response.slice(0, 12), row.usage.input])).toEqual([
      ['codex:resp_a', 10],
      ['codex:resp_b', 20],
    ]);
  });

  test('the whole output and what the model saw are one result with the exit code of either', () => {
    const { tools, events } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.call('a', 'exec_command', { cmd: 'make' }),
      codex.event({
        type: 'item_completed',
        item: {
          type: 'CommandExecution',
          id: 'a',
          status: 'failed',
          aggregated_output: 'x'.repeat(2000),
          exit_code: 2,
          duration: { secs: 3, nanos: 500_000_000 },
          parsed_cmd: [{ type: 'read', path: 'src/a.ts' }],
        },
      }),
      codex.output('a', 'Chunk ID: 1\nWall time: 3.5 seconds\nProcess exited with code 2\nOutput:\nxxx'),
    ]);
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({ status: 'failed', exitCode: 2, durationMs: 3500, result: 3 });
    expect(events[4]?.flags).toBe(FLAG.mirror);
    expect(events[4]?.search).toBe('Chunk ID: 1\nWall time: 3.5 seconds\nProcess exited with code 2');
  });

  test('servers tools have one name in all versions, apply_patch is an edit', () => {
    const { tools, touches } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.call('a', 'mcp__srv__echo', {}),
      codex.item({
        type: 'function_call',
        name: 'echo',
        namespace: 'mcp__srv__',
        arguments: '{}',
        call_id: 'b',
      }),
      codex.item({
        type: 'function_call',
        name: 'echo',
        namespace: 'mcp__srv',
        arguments: '{}',
        call_id: 'c',
      }),
      codex.item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-1\n+2\n*** End Patch',
        call_id: 'd',
      }),
    ]);
    expect(tools.map((tool) => tool.name)).toEqual([
      'mcp__srv__echo',
      'mcp__srv__echo',
      'mcp__srv__echo',
      'apply_patch',
    ]);
    expect(touches).toMatchObject([{ path: '/srv/app/a.ts', action: 'edit' }]);
  });

  test('turns that are taken back keep their numbers', () => {
    const { rewound, turns } = read([
      codex.meta(ID),
      codex.user('one'),
      codex.said('1'),
      codex.user('two'),
      codex.said('2'),
      codex.event({ type: 'thread_rolled_back', num_turns: 1 }),
      codex.user('three'),
      codex.said('3'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['one', 'two', 'three']);
    expect(rewound).toEqual([{ from: 1, to: 1 }]);
  });

  test('context announced as a message of the user is no prompt', () => {
    const { turns } = read([
      codex.meta(ID),
      codex.event({ type: 'user_message', message: '<cwd>/srv</cwd>', kind: 'environment_context' }),
      codex.user('<user_instructions>\nbe brief\n</user_instructions>'),
      codex.event({ type: 'user_message', message: 'typed', kind: 'plain' }),
      codex.said('ok'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['typed']);
  });

  test('the oldest form: bare items with states between responses', () => {
    const bare = (type: string, more: object) => ({ type, ...more });
    const { turns, state } = read([
      { id: ID, timestamp: tick(), instructions: null, git: { branch: 'main' } },
      { record_type: 'state' },
      bare('message', { role: 'user', content: [{ type: 'input_text', text: 'hi' }] }),
      { record_type: 'state' },
      bare('message', { role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }),
      bare('function_call', { name: 'shell', arguments: '{"command":["ls"]}', call_id: 'x' }),
      bare('function_call_output', { call_id: 'x', output: '{"output":"","metadata":{"exit_code":0}}' }),
      bare('function_call', { name: 'shell', arguments: '{"command":["pwd"]}', call_id: 'y' }),
      bare('function_call_output', { call_id: 'y', output: 'unsupported call: shell' }),
      { record_type: 'state' },
      bare('message', { role: 'assistant', content: [{ type: 'output_text', text: 'b' }] }),
    ]);
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ prompt: 'hi', steps: 2, calls: 2, failed: 1 });
    expect(state.facts).toMatchObject({ id: ID, branch: 'main' });
  });

  test('subagents and forks name their parents', () => {
    const spawn = { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1, agent_nickname: 'Ada' } } };
    expect(read([codex.meta(ID, { source: spawn })]).state.facts).toMatchObject({
      parentId: 'p',
      relation: 'subagent',
      agentName: 'Ada',
    });
    expect(read([codex.meta(ID, { forked_from_id: 'q' })]).state.facts).toMatchObject({
      parentId: 'q',
      relation: 'fork',
    });
  });
});
