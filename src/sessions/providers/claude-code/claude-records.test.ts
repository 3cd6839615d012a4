import { describe, expect, test } from 'vitest';
import { call, claude, lines, text, thinking } from '../../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../../test/fixtures/sessions/parse.ts';
import { FLAG, outcomeOf } from '../../model/event-rows.ts';

const ID = '11111111-aaaa-4bbb-8ccc-000000000001';
const read = (records: readonly unknown[]) =>
  parseBytes('claude_code', `${ID}.jsonl`, Buffer.from(lines(records)));

describe('Claude Code logs', () => {
  test('lines of one response are one step, also with answers of tools between them', () => {
    const log = claude({ id: ID });
    const { turns, tools, events, usage } = read([
      log.prompt('look'),
      log.answer('msg_1', thinking('first look'), { output: 5 }),
      log.answer('msg_1', call('t1', 'Bash', { command: 'ls' }), { output: 5 }),
      log.result('t1', 'a.ts'),
      log.answer('msg_1', call('t2', 'Read', { file_path: '/srv/app/a.ts' }), { output: 40 }),
      log.result('t2', [{ type: 'text', text: 'content' }]),
      log.answer('msg_2', text('done')),
    ]);
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ steps: 2, calls: 2, failed: 0, prompt: 'look' });
    expect(tools.map(({ call: at, result, step, status }) => [at, result, step, status])).toEqual([
      [2, 3, 0, 'ok'],
      [4, 5, 0, 'ok'],
    ]);
    expect(events.map(({ type, step }) => [type, step])).toEqual([
      ['user', -1],
      ['reasoning', 0],
      ['tool_call', 0],
      ['tool_result', 0],
      ['tool_call', 0],
      ['tool_result', 0],
      ['message', 1],
    ]);
    // One row a line here; the store keeps the largest of a response.
    expect(new Set(usage.map((row) => row.response)).size).toBe(2);
  });

  test('an answer that is written before its call belongs to it', () => {
    const log = claude({ id: ID });
    const { tools, paired, state } = read([
      log.prompt('go'),
      log.answer('msg_1', call('t1', 'Bash', { command: 'a' })),
      log.result('t2', 'Exit code 2', { error: true }),
      log.result('t1', 'fine'),
      log.answer('msg_1', call('t2', 'Bash', { command: 'b' })),
      log.answer('msg_2', text('done')),
    ]);
    expect(tools.map(({ call: at, result, status, step }) => [at, result, status, step])).toEqual([
      [1, 3, 'ok', 0],
      [4, 2, 'failed', 0],
    ]);
    expect(paired.map(({ event, row }) => [event, row.call, row.exitCode])).toEqual([[2, 4, 2]]);
    expect(state).toMatchObject({ failures: 1, turn: { openCalls: 0, failed: 1 } });
  });

  test('only typed prompts begin turns', () => {
    const log = claude({ id: ID });
    const { turns, events } = read([
      log.prompt('real one'),
      log.prompt('<system-reminder>not typed</system-reminder>'),
      log.prompt('noted', { isMeta: true }),
      log.prompt('<local-command-stdout>ok</local-command-stdout>'),
      log.prompt('This session is being continued from a previous conversation', { isCompactSummary: true }),
      log.prompt('<task-notification>x</task-notification>', { origin: { kind: 'task-notification' } }),
      log.answer('msg_1', text('hello')),
      log.prompt('[Request interrupted by user]'),
      log.record('attachment', { attachment: { type: 'queued_command', prompt: 'typed meanwhile' } }),
    ]);
    expect(turns.map((turn) => turn.prompt)).toEqual(['real one', 'typed meanwhile']);
    expect(turns.map(outcomeOf)).toEqual(['interrupted', 'partial']);
    expect(events.filter((event) => event.type === 'user')).toHaveLength(2);
  });

  test('a command begins a turn only when the model answers it', () => {
    const log = claude({ id: ID });
    const { turns } = read([
      log.prompt('<command-name>/compact</command-name>'),
      log.prompt('a prompt'),
      log.answer('msg_1', text('yes')),
      log.prompt(
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the parser</command-args>',
      ),
      log.answer('msg_2', text('reviewed')),
    ]);
    expect(turns.map(({ event, steps, prompt }) => [event, steps, prompt])).toEqual([
      [1, 1, 'a prompt'],
      [3, 1, '/review the parser'],
    ]);
  });

  test('failures: flags, exit codes, refusals, interruptions', () => {
    const log = claude({ id: ID });
    const { tools, turns } = read([
      log.prompt('try'),
      log.answer('msg_1', call('a', 'Bash', { command: 'false' })),
      log.result('a', 'Exit code 1', { error: true }),
      log.answer('msg_2', call('b', 'Grep', { pattern: 'x' })),
      log.result('b', '<tool_use_error>No such tool</tool_use_error>', { error: true }),
      log.answer('msg_3', call('c', 'Bash', { command: 'sleep 9' })),
      log.result('c', 'partial', { beside: { stdout: '', interrupted: true } }),
      log.answer('msg_4', call('d', 'Bash', { command: 'true' })),
      log.result('d', 'Exit code 1 is mentioned here'),
    ]);
    expect(tools.map(({ status, exitCode }) => [status, exitCode])).toEqual([
      ['failed', 1],
      ['failed', undefined],
      ['cancelled', undefined],
      ['ok', undefined],
    ]);
    expect(turns[0]).toMatchObject({ failed: 2, lastFailed: 0 });
  });

  test('sidechains inside the main log are work, not turns', () => {
    const log = claude({ id: ID });
    const side = (record: object) => ({ ...record, isSidechain: true });
    const { turns, events } = read([
      log.prompt('delegate'),
      log.answer('msg_1', call('t', 'Task', { prompt: 'look' })),
      side(log.prompt('look')),
      side(log.answer('msg_2', call('s', 'Bash', { command: 'ls' }))),
      side(log.result('s', 'x')),
      log.result('t', [{ type: 'text', text: 'it is x' }]),
      log.answer('msg_3', text('it is x')),
    ]);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.steps).toBe(3);
    expect(events.filter((event) => (event.flags & FLAG.sidechain) !== 0)).toHaveLength(3);
  });

  test('a prompt on an earlier record leaves the turns after it', () => {
    const log = claude({ id: ID });
    const first = log.prompt('one');
    const answered = log.answer('msg_1', text('1'));
    const second = log.prompt('two');
    const { rewound, turns } = read([
      first,
      answered,
      second,
      log.answer('msg_2', text('2')),
      { ...log.prompt('two, but better'), parentUuid: answered.uuid },
    ]);
    expect(turns).toHaveLength(3);
    expect(rewound).toEqual([{ from: 1, to: 1 }]);
  });

  test('unknown records are kept and counted, a bad line costs that line', () => {
    const log = claude({ id: ID });
    const content = `${lines([log.prompt('hi'), log.record('brand-new', { words: 'hello there' })])}{"half\n${lines([log.answer('msg_1', text('yes'))])}`;
    const { events, state } = parseBytes('claude_code', 'x.jsonl', Buffer.from(content));
    expect(events.map(({ label }) => label)).toEqual(['user', 'brand-new', 'bad line', 'assistant']);
    expect([...state.unknown]).toEqual([['brand-new', 1]]);
    expect(state.badLines).toBe(1);
    expect(events[1]?.search).toContain('hello there');
  });

  test('titles of other sessions are not taken, the own one is', () => {
    const log = claude({ id: ID });
    const prompt = log.prompt('hi');
    expect(
      read([{ type: 'summary', summary: 'another', leafUuid: 'elsewhere' }, prompt]).state.facts.title,
    ).toBeUndefined();
    expect(
      read([prompt, { type: 'summary', summary: 'mine', leafUuid: prompt.uuid }]).state.facts.title,
    ).toBe('mine');
  });

  test('messages made up by the client are no answers', () => {
    const log = claude({ id: ID });
    const made = log.answer('x', text('API Error'));
    const { turns, usage } = read([
      log.prompt('hi'),
      { ...made, isApiErrorMessage: true, message: { ...made.message, model: '<synthetic>' } },
    ]);
    expect(turns[0]?.steps).toBe(0);
    expect(turns.map(outcomeOf)).toEqual(['failed']);
    expect(usage).toEqual([]);
  });
});
