import { describe, expect, test } from 'vitest';
import { codex, lines } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';
import { outcomeOf } from '../../model/event-rows.ts';

const ID = '22222222-aaaa-4bbb-8ccc-000000000001';
const OTHER = '33333333-aaaa-4bbb-8ccc-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('codex', 'rollout-x.jsonl', Buffer.from(lines(records)));
const completed = (item: Readonly<Record<string, unknown>>) => codex.event({ type: 'item_completed', item });
const context = (cwd: string) => `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`;

describe('what Codex has written over its versions', () => {
  test('the folder: from the header, else from a turn, else from the context that is sent', () => {
    expect(read([codex.meta(ID, { cwd: '/a' }), codex.userItem(context('/b'))]).state.facts.cwd).toBe('/a');
    expect(read([codex.meta(ID, { cwd: undefined }), codex.context()]).state.facts.cwd).toBe('/srv/app');
    const oldest = [
      { id: ID, timestamp: '2026-03-01T10:00:00Z', instructions: null, git: { branch: 'main' } },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: context('/c') }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    ];
    const { state, turns } = read(oldest);
    expect(state.facts).toMatchObject({ id: ID, cwd: '/c', branch: 'main' });
    expect(turns.map((turn) => turn.prompt)).toEqual(['hello']);
  });

  test('a turn context for every request does not begin turns', () => {
    const { turns } = read([
      codex.meta(ID),
      codex.user('go'),
      ...[1, 2, 3].flatMap((n) => [
        codex.context(),
        codex.call(`c${n}`, 'shell', { command: ['ls'] }),
        codex.output(`c${n}`, 'x'),
      ]),
    ]);
    expect(turns).toMatchObject([{ prompt: 'go', calls: 3, steps: 3 }]);
  });

  test('what the client puts in the mouth of the user or the developer is no prompt', () => {
    const { turns } = read([
      codex.meta(ID),
      codex.userItem('# AGENTS.md instructions for /srv/app\n\nbe brief'),
      codex.userItem('<user_instructions>\nbe brief\n</user_instructions>'),
      codex.userItem(context('/srv/app')),
      codex.item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }),
      codex.userItem('really typed'),
      codex.user('really typed'),
      codex.said('yes'),
      codex.saidEvent('yes'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['really typed']);
  });

  test('the paginated form: items stand for everything, and repeat what the response said', () => {
    const { turns, tools, events, state } = read([
      codex.meta(ID, { history_mode: 'paginated', cli_version: '0.166.0' }),
      codex.userItem('go'),
      completed({ type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'go' }] }),
      codex.item({ type: 'reasoning', summary: [], content: null, encrypted_content: 'x' }),
      completed({ type: 'Reasoning', id: 'r', summary_text: [], raw_content: [] }),
      codex.item({
        type: 'function_call',
        name: 'get_sum',
        namespace: 'mcp__srv',
        arguments: '{"a":1}',
        call_id: 'm',
      }),
      completed({
        type: 'McpToolCall',
        id: 'm',
        server: 'srv',
        tool: 'get-sum',
        status: 'completed',
        result: { content: [{ type: 'text', text: '3' }] },
        duration: { secs: 0, nanos: 5e6 },
      }),
      codex.output('m', [
        { type: 'input_text', text: 'Wall time: 0.0 seconds\nOutput:' },
        { type: 'input_text', text: '3' },
      ]),
      codex.item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Add File: b.ts\n+1\n*** End Patch',
        call_id: 'p',
        status: 'completed',
      }),
      completed({
        type: 'FileChange',
        id: 'p',
        status: 'failed',
        changes: { '/srv/app/b.ts': { type: 'add', content: '1' } },
      }),
      codex.call('e', 'exec_command', { cmd: 'true' }),
      completed({
        type: 'CommandExecution',
        id: 'e',
        command: ['true'],
        status: 'declined',
        aggregated_output: '',
      }),
      codex.said('done'),
      completed({ type: 'AgentMessage', id: 'a', content: [{ type: 'Text', text: 'done' }] }),
      { timestamp: '2026-03-01T10:09:00Z', ordinal: 9, type: 'world_state', payload: { full: {} } },
      codex.event({ type: 'task_complete', last_agent_message: 'done' }),
    ]);
    expect(turns).toMatchObject([{ prompt: 'go', calls: 3 }]);
    expect(tools.map(({ name, status }) => [name, status])).toEqual([
      ['mcp__srv__get_sum', 'ok'],
      ['apply_patch', 'failed'],
      ['exec_command', 'rejected'],
    ]);
    expect(tools[0]?.durationMs).toBe(5);
    expect(events.filter((event) => event.type === 'message')).toHaveLength(1);
    expect(state.unknown.size).toBe(0);
  });

  test('a process that runs on ends with a later call that writes to it', () => {
    const { tools } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.call('a', 'exec_command', { cmd: 'npm test' }),
      codex.output('a', 'Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 7\nOutput:\n…'),
      codex.call('b', 'write_stdin', { session_id: 7, chars: '' }),
      codex.output('b', 'Chunk ID: 2\nWall time: 5 seconds\nProcess running with session ID 7\nOutput:\n…'),
      codex.call('c', 'write_stdin', { session_id: 7, chars: '' }),
      codex.output('c', 'Chunk ID: 3\nWall time: 5 seconds\nProcess exited with code 3\nOutput:\nno'),
    ]);
    expect(tools.map(({ status, exitCode }) => [status, exitCode])).toEqual([
      ['failed', 3],
      ['pending', undefined],
      ['failed', 3],
    ]);
  });

  test('counters: pairs, settings, a start from zero after a resume, and totals that were set back', () => {
    const { usage } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.said('a'),
      codex.tokens(1000, 1000),
      codex.tokens(1000, 1000),
      codex.event({ type: 'token_count', info: null, rate_limits: {} }),
      codex.tokens(3000, 2000),
      // Resumed: the counter begins again, above where it stood.
      codex.tokens(5000, 5000),
      codex.tokens(5500, 500),
      // Set back after a rollback.
      codex.tokens(4000, 700),
    ]);
    const sums = usage.map((row) => row.usage.input + row.usage.cached + row.usage.output);
    expect(sums).toEqual([1000, 2000, 5000, 500, 700]);
    expect(usage[0]?.usage).toMatchObject({ input: 450, cached: 450, output: 100, reasoning: 50 });
  });

  test('subagents of every kind, forks, and pointers into other files', () => {
    const facts = (more: object) => read([codex.meta(ID, { ...more })]).state.facts;
    const spawn = { thread_spawn: { parent_thread_id: OTHER, depth: 1, agent_nickname: 'Ada' } };
    expect(facts({ source: { subagent: spawn } })).toMatchObject({
      parentId: OTHER,
      relation: 'subagent',
      agentName: 'Ada',
    });
    expect(facts({ source: { subagent: 'review' }, session_id: OTHER })).toMatchObject({
      parentId: OTHER,
      relation: 'subagent',
      agentName: 'review',
    });
    expect(facts({ forked_from_id: OTHER })).toMatchObject({ parentId: OTHER, relation: 'fork' });
    expect(facts({ history_base: { thread_id: OTHER, end_ordinal_exclusive: 42 } })).toMatchObject({
      parentId: OTHER,
      relation: 'fork',
    });
    expect(facts({ session_id: ID, history_base: { thread_id: ID } }).relation).toBeUndefined();
  });

  test('a spawned thread is named by its result and by its event', () => {
    const { tools } = read([
      codex.meta(ID),
      codex.user('go'),
      codex.call('a', 'spawn_agent', { message: 'dig' }),
      codex.output('a', '{"agent_id":"thread-1","nickname":"Ada"}'),
      codex.call('b', 'spawn_agent', { message: 'dig more' }),
      codex.event({
        type: 'collab_agent_spawn_end',
        call_id: 'b',
        new_thread_id: 'thread-2',
        prompt: 'dig more',
      }),
    ]);
    expect(tools.map(({ agentId, callId, status }) => [agentId, callId, status])).toEqual([
      ['thread-1', 'a', 'ok'],
      ['thread-2', 'b', 'ok'],
    ]);
  });

  test('names, reviews, rollbacks, aborts and errors; pictures are named, not kept', () => {
    const { state, turns, events } = read([
      codex.meta(ID),
      codex.user('one'),
      codex.said('first'),
      codex.event({ type: 'thread_name_updated', thread_name: 'The first thread' }),
      codex.event({ type: 'entered_review_mode', prompt: 'look' }),
      codex.item({ type: 'image_generation_call', result: 'QUJD'.repeat(500), revised_prompt: 'a cat' }),
      codex.user('two'),
      codex.event({ type: 'turn_aborted', reason: 'interrupted' }),
      codex.event({ type: 'thread_rolled_back', num_turns: 1 }),
      {
        timestamp: '2026-03-01T11:00:00Z',
        type: 'compacted',
        payload: { message: '', replacement_history: [{ type: 'message' }] },
      },
      codex.event({ type: 'context_compacted' }),
      codex.event({ type: 'brand_new', text: 'kept' }),
    ]);
    expect(state.facts.title).toBe('The first thread');
    expect(turns.map(({ interrupted, rewound }) => [interrupted, rewound])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(state.compactions).toBe(1);
    expect(events.some((event) => event.search.includes('QUJDQUJD'))).toBe(false);
    expect([...state.unknown]).toEqual([['event_msg/brand_new', 1]]);
  });
});

test('a turn that ends without a word of the model has failed, one that goes on has not', () => {
  const done = codex.event({ type: 'task_complete', last_agent_message: null });
  const parse = (records: readonly unknown[]) => read(records).turns.map(outcomeOf);
  expect(parse([codex.meta(ID), codex.user('go'), done])).toEqual(['failed']);
  expect(parse([codex.meta(ID), codex.user('go')])).toEqual(['partial']);
  expect(parse([codex.meta(ID), codex.user('go'), codex.said('yes'), done, done])).toEqual(['success']);
});
