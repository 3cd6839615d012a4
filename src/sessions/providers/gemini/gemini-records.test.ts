import { describe, expect, test } from 'vitest';
import { gemini, lines } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';

const ID = '22222222-aaaa-4bbb-8ccc-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('gemini', 'session.jsonl', Buffer.from(lines(records)));
const shell = (output: string) =>
  gemini.tool('run_shell_command__1', 'run_shell_command', { command: 'node x.js' }, output);

describe('Gemini CLI logs', () => {
  test('a message that is written again adds only what is new', () => {
    const first = gemini.answer('m1-0000-0000-0000-0000');
    const { turns, events, usage, tools } = read([
      gemini.header(ID),
      gemini.user('u1', [{ text: 'run it' }]),
      first,
      { ...first, toolCalls: [shell('Output: no\nExit Code: 1')] },
      { $set: { lastUpdated: first.timestamp } },
      gemini.user('u2', [
        {
          functionResponse: {
            id: 'run_shell_command__1',
            name: 'run_shell_command',
            response: { output: 'Output: no\nExit Code: 1' },
          },
        },
      ]),
    ]);
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ prompt: 'run it', steps: 1, calls: 1, failed: 1 });
    expect(tools[0]).toMatchObject({ status: 'failed', exitCode: 1 });
    expect(events.map(({ type }) => type)).toEqual([
      'notification',
      'user',
      'reasoning',
      'message',
      'tool_call',
      'tool_result',
      'notification',
      'notification',
    ]);
    expect(new Set(usage.map((row) => row.response)).size).toBe(1);
    expect(usage[0]?.usage).toEqual({
      input: 200,
      cached: 800,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: 60,
      reasoning: 10,
      tool: 5,
    });
  });

  test('a resume that writes the history again, poorer, loses nothing and doubles nothing', () => {
    const answer = gemini.answer('m1');
    const { turns, events } = read([
      gemini.header(ID),
      { $set: { messages: [gemini.user('c', [{ text: '<session_context>\nx\n</session_context>' }])] } },
      gemini.user('u1', [{ text: 'first' }]),
      { ...answer, toolCalls: [shell('Output: ok\nExit Code: 0')] },
      gemini.header(ID),
      {
        $set: {
          messages: [
            gemini.user('u1', [{ text: 'first' }]),
            {
              id: 'm1',
              timestamp: answer.timestamp,
              type: 'gemini',
              content: [{ text: 'Looking.' }, { functionCall: { name: 'x' } }],
            },
            {
              id: 'm1',
              timestamp: answer.timestamp,
              type: 'user',
              content: [
                {
                  functionResponse: {
                    id: 'run_shell_command__1',
                    name: 'run_shell_command',
                    response: { output: 'ok' },
                  },
                },
              ],
            },
          ],
        },
      },
      gemini.user('u2', [{ text: 'second' }]),
      gemini.answer('m2'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['first', 'second']);
    expect(events.filter((event) => event.type === 'message')).toHaveLength(2);
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(1);
  });

  test('commands and context are no prompts; a rewind marks turns', () => {
    const { turns, rewound } = read([
      gemini.header(ID),
      gemini.user('u0', '/help'),
      gemini.user('u1', 'one'),
      gemini.answer('m1'),
      gemini.user('u2', 'two'),
      gemini.answer('m2'),
      { $rewindTo: 'u2' },
      gemini.user('u3', 'three'),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['one', 'two', 'three']);
    expect(rewound).toEqual([{ from: 1, to: 1 }]);
  });

  test('the older form, one document', () => {
    const document = JSON.stringify({
      ...gemini.header(ID),
      messages: [
        gemini.user('u1', 'hi'),
        {
          ...gemini.answer('m1'),
          toolCalls: [gemini.tool('r', 'replace', { file_path: '/srv/a.ts' }, 'ok')],
        },
      ],
    });
    const { turns, touches, state } = parseBytes('gemini', 'session.json', Buffer.from(document));
    expect(turns[0]).toMatchObject({ prompt: 'hi', steps: 1, calls: 1 });
    expect(touches).toMatchObject([{ path: '/srv/a.ts', action: 'edit' }]);
    expect(state.facts.id).toBe(ID);
  });
});
