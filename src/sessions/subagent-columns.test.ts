import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTables } from '../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';

/* What subagents did and where the context was compacted, as far as the log of the session itself tells. */

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const desk = await openDesk();
const log = claude({ id: ID });
const progress = (parent: string, response: string, tool: string) =>
  log.record('progress', {
    parentToolUseID: parent,
    data: {
      type: 'agent_progress',
      message: {
        type: 'assistant',
        message: {
          id: response,
          model: 'claude-haiku-4-5',
          content: [{ type: 'tool_use', id: tool, name: 'Grep', input: {} }],
          usage: { input_tokens: 3, output_tokens: 7 },
        },
      },
    },
  });
writeLog(
  join(desk.folders.claude, 'p', `${ID}.jsonl`),
  lines([
    log.prompt('look at it'),
    log.answer('m1', call('a', 'Task', { description: 'Look', prompt: 'look' })),
    progress('a', 'r1', 't1'),
    progress('a', 'r2', 't2'),
    {
      ...log.result('a', 'It is fine.'),
      toolUseResult: { status: 'completed', totalToolUseCount: 5, totalDurationMs: 10 },
    },
    log.answer('m2', call('b', 'Task', { description: 'Again', prompt: 'look' })),
    progress('b', 'r3', 't3'),
    progress('b', 'r4', 't4'),
    log.answer('m3', text('Both looked.'), { input: 900, output: 100 }),
    log.record('system', { subtype: 'compact_boundary', content: 'Conversation compacted' }),
    { ...log.prompt('This session is being continued from a previous one.'), isCompactSummary: true },
    log.answer('m4', text('Going on.'), { input: 40, output: 2 }),
    log.prompt('and on'),
    log.answer('m5', text('Still going.'), { input: 800, output: 2 }),
    log.prompt('and on'),
    log.answer('m6', text('Still going.'), { input: 800, output: 2 }),
    log.prompt('and on'),
    log.answer('m7', text('Done.'), { input: 900, output: 2 }),
    log.prompt('and on'),
    log.answer('m8', text('Done.'), { input: 900, output: 2 }),
    log.record('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'manual', preTokens: 2_345 },
    }),
  ]),
);
await desk.sessions.reading.refresh();
const { file } = await desk.sessions.database(new AbortController().signal, []);
const { ask, close } = openTables(file ?? '');
afterAll(async () => {
  close();
  await desk.close();
});

test('calls of a subagent: its total, else those that it was seen to make', () => {
  expect(ask("select target, agent_calls from calls where kind = 'agent' order by event")).toEqual([
    { target: 'Look', agent_calls: 5 },
    { target: 'Again', agent_calls: 2 },
  ]);
});

test('usage tells what subagents spent', () => {
  expect(ask('select subagent, count(*) n, sum(output) output from usage group by 1 order by 1')).toEqual([
    { subagent: 0, n: 8, output: expect.any(Number) },
    { subagent: 1, n: 4, output: 28 },
  ]);
});

test('a compaction with the context before and after it, once for its two records', () => {
  expect(ask('select turn, event, before, after from compactions')).toEqual([
    { turn: 0, event: 9, before: 2_100, after: 1_142 },
    { turn: 4, event: 20, before: 2_345, after: null },
  ]);
});
