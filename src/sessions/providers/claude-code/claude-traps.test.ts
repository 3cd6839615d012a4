import { describe, expect, test } from 'vitest';
import { call, claude, lines, text, thinking } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';

const ID = '11111111-aaaa-4bbb-8ccc-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('claude_code', `${ID}.jsonl`, Buffer.from(lines(records)));

describe('what Claude Code has written over its versions', () => {
  test('sidechain lines with an agent id inside the main log are work of the session itself', () => {
    const log = claude({ id: ID });
    const side = { isSidechain: true, agentId: 'abc123' };
    const { state, turns } = read([
      log.prompt('delegate'),
      log.answer('msg_1', call('t', 'Task', { prompt: 'dig' })),
      { ...log.prompt('dig'), ...side },
      { ...log.answer('msg_2', text('found')), ...side },
      log.result('t', [{ type: 'text', text: 'found' }]),
    ]);
    expect(state.facts).toMatchObject({ id: ID });
    expect(state.facts.relation).toBeUndefined();
    expect(turns.map((turn) => turn.prompt)).toEqual(['delegate']);
  });

  test('a log of its own for a subagent names its parent', () => {
    const agent = claude({ id: ID, extra: { isSidechain: true, agentId: 'abc123' } });
    const { state, turns } = read([agent.prompt('dig'), agent.answer('msg_1', text('found'))]);
    expect(state.facts).toMatchObject({ id: 'abc123', parentId: ID, relation: 'subagent' });
    expect(turns).toHaveLength(1);
  });

  test('a fork that names its origin', () => {
    const log = claude({ id: ID, extra: { forkedFrom: { sessionId: 'other', messageUuid: 'u' } } });
    expect(read([log.prompt('go on')]).state.facts).toMatchObject({
      id: ID,
      parentId: 'other',
      relation: 'fork',
    });
  });

  test('results: text, blocks, pictures, nothing at all; results beside them of every JSON type', () => {
    const log = claude({ id: ID });
    const png = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(40) },
    };
    const contents = [
      'plain',
      [{ type: 'text', text: 'of a server' }],
      [png],
      undefined,
      [{ type: 'tool_reference', tool_name: 'x' }],
    ];
    const besides = [{ stdout: 'plain' }, [{ type: 'text', text: 'of a server' }], 'Error: no', null, 7];
    const { events, tools } = read([
      log.prompt('all of them'),
      ...contents.map((_, at) => log.answer('msg_1', call(`c${at}`, 'mcp__srv__tool', {}))),
      ...contents.map((content, at) => log.result(`c${at}`, content, { beside: besides[at] })),
    ]);
    expect(tools.map((tool) => tool.status)).toEqual(Array(5).fill('ok'));
    const results = events.filter((event) => event.type === 'tool_result').map((event) => event.search);
    expect(results.slice(0, 3)).toEqual(['plain', 'of a server', '[image/png, 440 characters]']);
    expect(results[3]).toBe('');
  });

  test('tools that run at the vendor are answered within the response', () => {
    const log = claude({ id: ID });
    const { tools, state } = read([
      log.prompt('search'),
      log.answer('msg_1', { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } }),
      log.answer('msg_1', {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [{ type: 'text', text: 'hit' }],
      }),
      log.answer('msg_1', { type: 'server_tool_use', id: 's2', name: 'web_fetch', input: { url: 'y' } }),
      log.answer('msg_1', {
        type: 'web_fetch_tool_result',
        tool_use_id: 's2',
        content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
      }),
    ]);
    expect(tools.map(({ name, status }) => [name, status])).toEqual([
      ['web_search', 'ok'],
      ['web_fetch', 'failed'],
    ]);
    expect(state.unknown.size).toBe(0);
  });

  test('state and noise are known, silent, and no turns: progress, queue, snapshots, modes, requests', () => {
    const log = claude({ id: ID });
    const kinds = [
      'progress',
      'file-history-snapshot',
      'queue-operation',
      'last-prompt',
      'permission-mode',
      'mode',
      'agent-setting',
      'bridge-session',
      'tools-used',
      'atis-latch',
      'api-request',
      'api-request-shape',
      'api-request-blob',
    ];
    const { events, turns, state } = read([
      log.prompt('one'),
      ...kinds.map((type) => ({
        type,
        content: 'needle',
        data: { type: 'agent_progress', message: { usage: { input_tokens: 9 } } },
      })),
    ]);
    expect(events.slice(1).every((event) => event.search === '')).toBe(true);
    expect(events).toHaveLength(1 + kinds.length);
    expect([turns.length, state.unknown.size]).toEqual([1, 0]);
  });

  test('system records: compaction counts once with its summary, errors and hooks are kept', () => {
    const log = claude({ id: ID });
    const { state, events, turns } = read([
      log.prompt('long work'),
      log.answer('msg_1', text('working')),
      log.record('system', {
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        parentUuid: null,
        logicalParentUuid: 'x',
        compactMetadata: { trigger: 'auto', preTokens: 9 },
      }),
      log.prompt('This session is being continued from a previous conversation…', { isCompactSummary: true }),
      log.record('system', { subtype: 'microcompact_boundary', content: 'small' }),
      log.record('system', { subtype: 'api_error', error: { message: 'overloaded' }, retryAttempt: 1 }),
      log.record('system', { content: 'hook says hello' }),
      log.record('system', { subtype: 'turn_duration', durationMs: 5 }),
      log.record('system', { subtype: 'never_seen', content: 'kept' }),
      log.prompt('next'),
    ]);
    expect(state.compactions).toBe(1);
    expect(turns.map((turn) => turn.rewound)).toEqual([false, false]);
    const searched = events.map((event) => event.search);
    for (const words of ['overloaded', 'hook says hello', 'kept']) expect(searched).toContain(words);
    expect([...state.unknown]).toEqual([['system/never_seen', 1]]);
  });

  test('thoughts without their text say so; a prompt of blocks with a picture is a prompt', () => {
    const log = claude({ id: ID });
    const { events, turns } = read([
      log.prompt([
        text('what is this?'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
      ]),
      log.answer('msg_1', thinking('')),
      log.answer('msg_1', { type: 'redacted_thinking', data: 'x' }),
    ]);
    expect(turns[0]?.prompt).toBe('what is this?\n[image/png, 4 characters]');
    expect(events.slice(1).map((event) => event.search)).toEqual(['(encrypted)', '(encrypted)']);
  });

  test('a large output in a file of its own is pointed to', () => {
    const log = claude({ id: ID });
    const said =
      '<persisted-output>\nOutput too large (150 KB). Full output saved to: /home/u/.claude/projects/p/s/tool-results/t1.txt\n\nPreview (first 2KB):\nabc\n</persisted-output>';
    const { tools } = read([
      log.prompt('x'),
      log.answer('msg_1', call('t1', 'Bash', { command: 'x' })),
      log.result('t1', said),
    ]);
    expect(tools[0]?.status).toBe('ok');
  });
});
