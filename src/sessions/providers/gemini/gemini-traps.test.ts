import { describe, expect, test } from 'vitest';
import { gemini, lines } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';

const ID = '44444444-aaaa-4bbb-8ccc-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('gemini', 'session-x.jsonl', Buffer.from(lines([gemini.header(ID), ...records])));

describe('what Gemini CLI has written over its versions', () => {
  test('a failed command has the status success; its exit code stands in the text, wrapped or not', () => {
    const run = (id: string, output: string, status?: string) =>
      gemini.tool(id, 'run_shell_command', { command: 'x' }, output, status);
    const { tools } = read([
      gemini.user('u', 'go'),
      gemini.answer('g', {
        toolCalls: [
          run('a', 'Command: x\nOutput: no\nExit Code: 1\nSignal: (none)'),
          run('b', '<untrusted_context>\nOutput: no\nExit Code: 2\n</untrusted_context>'),
          run('c', 'Output: fine\nExit Code: 0'),
          run('d', 'denied', 'cancelled'),
          run('e', 'no such tool', 'error'),
          { id: 'f', name: 'run_shell_command', args: {}, status: 'executing', result: null },
        ],
      }),
    ]);
    expect(tools.map(({ status, exitCode }) => [status, exitCode])).toEqual([
      ['failed', 1],
      ['failed', 2],
      ['ok', 0],
      ['cancelled', undefined],
      ['failed', undefined],
      ['pending', undefined],
    ]);
  });

  test('what was shown stands in for a result that is not there', () => {
    const call = (id: string, resultDisplay: unknown) => ({
      id,
      name: 'replace',
      args: {},
      status: 'success',
      result: null,
      resultDisplay,
    });
    const { events } = read([
      gemini.user('u', 'go'),
      gemini.answer('g', {
        toolCalls: [
          call('a', 'shown'),
          call('b', { fileDiff: '-a\n+b', fileName: 'x' }),
          call('c', { summary: 's', files: [] }),
          call('d', ''),
          call('e', null),
        ],
      }),
    ]);
    const results = events.filter((event) => event.type === 'tool_result').map((event) => event.search);
    expect(results).toEqual(['shown', '-a\n+b', '', '', '']);
  });

  test('tools of servers, by name or by what is shown', () => {
    const call = (id: string, name: string, displayName?: string) => ({
      id,
      name,
      args: {},
      status: 'success',
      result: [],
      displayName,
    });
    const { tools } = read([
      gemini.user('u', 'go'),
      gemini.answer('g', {
        toolCalls: [
          call('a', 'mcp_srv_echo'),
          call('b', 'srv__echo'),
          call('c', 'echo', 'echo (srv MCP Server)'),
          call('d', 'read_file', 'ReadFile'),
        ],
      }),
    ]);
    expect(tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['mcp_srv_echo', 'mcp'],
      ['srv__echo', 'mcp'],
      ['mcp__srv__echo', 'mcp'],
      ['read_file', 'read'],
    ]);
  });

  test('content as text, as one part, as parts; messages of the client are no turns', () => {
    const { turns, events } = read([
      gemini.user('a', 'as text'),
      gemini.user('b', { text: 'as a part' }),
      gemini.user('c', [{ text: 'as ' }, { text: 'parts' }]),
      ...['info', 'warning', 'error'].map((type) => ({
        id: type,
        timestamp: '2026-03-01T10:00:00Z',
        type,
        content: `an ${type}`,
      })),
      gemini.user('d', '/help'),
      gemini.user('e', [{ text: '<session_context>today</session_context>' }]),
      gemini.user('f', [{ functionResponse: { id: 'x', name: 'y', response: { output: 'z' } } }]),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['as text', 'as a part', 'as \nparts']);
    expect(events.map((event) => event.search)).toEqual(
      expect.arrayContaining(['an info', 'an warning', 'an error']),
    );
  });

  test('tokens: cached is part of input, thoughts are output; none and null count nothing', () => {
    const { usage } = read([
      gemini.user('u', 'go'),
      gemini.answer('a'),
      gemini.answer('b', { tokens: null }),
      gemini.answer('c', { tokens: { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0 } }),
    ]);
    expect(usage.map((row) => row.usage)).toEqual([
      { input: 200, cached: 800, cacheWrite: 0, cacheWriteHour: 0, output: 60, reasoning: 10, tool: 5 },
    ]);
  });
});
