import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTables, type Row } from '../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, codex, lines, text, thinking, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { SESSION_TABLES } from './tables.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-1111-4111-8111-111111111111';
const FORK = 'cccccccc-1111-4111-8111-111111111111';

const desk = await openDesk();
const log = claude({ id: A, cwd: '/srv/app' });
const long = Array.from({ length: 3_000 }, (_, n) => `line ${n} of a long thought`).join('\n');
const work = [
  log.prompt('fix the parser'),
  log.answer('msg_0000000000000001', thinking(long)),
  log.answer('msg_0000000000000001', call('a', 'Bash', { command: 'npm test 2>&1 | tail -3' })),
  log.result('a', ' Tests  1 failed | 3 passed'),
  log.answer(
    'msg_0000000000000002',
    call('b', 'Edit', { file_path: '/srv/app/src/p.ts', old_string: 'a', new_string: 'b\nc' }),
  ),
  log.result('b', 'done'),
  log.answer('msg_0000000000000003', text('The parser is fixed.'), { output: 55 }),
];
const compacted = log.record('system', { subtype: 'compact_boundary', content: 'Conversation compacted' });
/** The session itself is older than its fork. */
const begun = { type: 'mode', mode: 'normal', sessionId: A, timestamp: '2026-01-01T00:00:00.000Z' };
const paths = [
  writeLog(join(desk.folders.claude, '-srv-app', `${A}.jsonl`), lines([begun, ...work, compacted])),
  writeLog(
    join(desk.folders.claude, '-srv-app', `${FORK}.jsonl`),
    lines([
      ...work.map((record) => ({ ...record, sessionId: FORK })),
      { ...log.prompt('and the lexer'), sessionId: FORK },
      {
        ...log.answer('msg_0000000000000004', call('c', 'Read', { file_path: '/srv/app/src/l.ts' })),
        sessionId: FORK,
      },
      { ...log.result('c', 'let x'), sessionId: FORK },
    ]),
  ),
  writeLog(
    join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${B}.jsonl`),
    lines([
      codex.meta(B),
      codex.event({ type: 'user_message', message: 'list it' }),
      codex.item({
        type: 'function_call',
        name: 'shell',
        call_id: 'x1',
        arguments: '{"command":["ls","-a"]}',
      }),
      codex.item({ type: 'function_call_output', call_id: 'x1', output: 'exec command rejected by user' }),
    ]),
  ),
];
await desk.sessions.reading.refresh();
const { file } = await desk.sessions.database(new AbortController().signal);
const tables = openTables(file ?? '');
afterAll(async () => {
  tables.close();
  await desk.close();
});
const { ask } = tables;

/** The logs, read a second time without any of the code under test. */
const records: readonly Row[] = paths.flatMap((path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)),
);
/** Copies of a record have its uuid, so that forks count once. */
const once = [...new Map(records.map((record) => [record.uuid ?? record, record])).values()];
const blocks = once.flatMap((record) => {
  const content = (record.message as { content?: unknown } | undefined)?.content;
  return Array.isArray(content) ? (content as Row[]) : [];
});

test('what failed is a row each, with when it was fixed, and so is every command', async () => {
  const own = await openDesk();
  const told = claude({ id: A, cwd: '/srv/app' });
  const long = `${'Hooks are installed by the command. '.repeat(40)}That is decided.`;
  writeLog(
    join(own.folders.claude, '-srv-app', `${A}.jsonl`),
    lines([
      told.prompt('[Request interrupted by user for tool use]'),
      told.prompt('fix the hooks'),
      told.answer('m1', call('a', 'Bash', { command: 'cd cmd && go test ./... 2>&1 | tail -9' })),
      told.result(
        'a',
        '--- FAIL: TestA (0.01s)\n    a_test.go:3: no\n--- FAIL: TestB (0.01s)\nFAIL\texample.org/x\t0.1s',
      ),
      told.answer('m2', call('b', 'Bash', { command: 'go test ./...' })),
      told.result('b', 'ok  \texample.org/x\t0.1s'),
      told.answer('m3', call('c', 'Grep', { pattern: 'x', path: '/srv/app/src/l.ts' })),
      told.result('c', '1:x'),
      told.answer('m4', text(long)),
    ]),
  );
  await own.sessions.reading.refresh();
  const opened = openTables(
    (await own.sessions.database(new AbortController().signal, ['findings'])).file ?? '',
  );
  try {
    expect(
      opened.ask(
        'SELECT kind, name, path, line, message, fixed > at AS fixed, fixed_event > event AS later FROM failures ORDER BY kind, name',
      ),
    ).toEqual([
      { kind: 'package', name: 'example.org/x', path: null, line: null, message: null, fixed: 1, later: 1 },
      { kind: 'test', name: 'TestA', path: 'a_test.go', line: 3, message: 'no', fixed: 1, later: 1 },
      { kind: 'test', name: 'TestB', path: null, line: null, message: null, fixed: 1, later: 1 },
    ]);
    expect(opened.ask('SELECT program, command, status FROM commands')).toEqual([
      { program: 'cd', command: 'cd cmd', status: 'ok' },
      { program: 'go test', command: 'go test ./... 2>&1', status: 'failed' },
      { program: 'tail', command: 'tail -9', status: 'ok' },
      { program: 'go test', command: 'go test ./...', status: 'ok' },
    ]);
    expect(opened.ask('SELECT DISTINCT name FROM commands')).toEqual([
      { name: 'cd' },
      { name: 'go' },
      { name: 'tail' },
    ]);
    expect(opened.ask('SELECT edits FROM turns')).toEqual([{ edits: 0 }]);
    expect(opened.ask("SELECT repo_path FROM calls WHERE tool = 'Grep'")).toEqual([
      { repo_path: 'src/l.ts' },
    ]);
    expect(opened.ask('SELECT reply FROM turns WHERE turn = 0')).toEqual([{ reply: long }]);
    expect(opened.ask('SELECT interrupted FROM sessions')).toEqual([{ interrupted: 1 }]);
    expect(opened.ask("SELECT turn, message FROM findings WHERE kind = 'interruptions'")).toEqual([
      { turn: 0, message: 'interrupted before the first prompt; next prompt: fix the hooks' },
    ]);
  } finally {
    opened.close();
    await own.close();
  }
});

test('every table has the columns it declares, in order, and a row', () => {
  for (const { name, columns } of SESSION_TABLES.tables) {
    const [row] = ask(`SELECT * FROM "${name}"`);
    expect(Object.keys(row ?? {}), name).toEqual(Object.keys(columns));
  }
});

describe('the same counts in the logs', () => {
  test('calls and edits, those of a fork once', () => {
    const calls = blocks.filter(({ type }) => type === 'tool_use').length + 1;
    expect(ask('SELECT COUNT(*) AS n FROM calls')).toEqual([{ n: calls }]);
    expect(ask('SELECT session, repo_path, added, removed, status FROM edits')).toEqual([
      { session: 'aaaaaaaa', repo_path: 'src/p.ts', added: 2, removed: 1, status: 'ok' },
    ]);
    expect(ask("SELECT session, tool FROM calls WHERE kind = 'read'")).toEqual([
      { session: 'cccccccc', tool: 'Read' },
    ]);
  });

  test('tokens of each response once', () => {
    const responses = new Map(
      once.flatMap((record) => {
        const message = record.message as { id?: string; usage?: { output_tokens: number } } | undefined;
        return message?.usage === undefined ? [] : [[message.id, message.usage.output_tokens] as const];
      }),
    );
    const output = [...responses.values()].reduce((sum, tokens) => sum + tokens, 0);
    for (const name of ['usage', 'sessions', 'turns'])
      expect(ask(`SELECT SUM(output) AS n FROM ${name}`), name).toEqual([{ n: output }]);
    const [usage] = ask('SELECT ROUND(SUM(cost), 4) AS cost FROM usage');
    expect(Number(usage?.cost)).toBeGreaterThan(0);
    expect(ask('SELECT ROUND(SUM(cost), 4) AS cost FROM sessions')).toEqual([usage]);
    expect(ask('SELECT ROUND(SUM(cost), 4) AS cost FROM turns')).toEqual([usage]);
  });

  test('turns, those of a fork once', () => {
    expect(ask('SELECT session, turn, prompt, reply, steps, calls FROM turns ORDER BY session')).toEqual([
      {
        session: 'aaaaaaaa',
        turn: 0,
        prompt: 'fix the parser',
        reply: 'The parser is fixed.',
        steps: 3,
        calls: 2,
      },
      { session: 'bbbbbbbb', turn: 0, prompt: 'list it', reply: '', steps: 1, calls: 1 },
      { session: 'cccccccc', turn: 1, prompt: 'and the lexer', reply: '', steps: 1, calls: 1 },
    ]);
  });

  test('messages whole, however long', () => {
    expect(ask("SELECT text FROM messages WHERE role = 'reasoning'")).toEqual([{ text: long }]);
    expect(ask("SELECT session, text FROM messages WHERE role = 'user' ORDER BY session")).toEqual([
      { session: 'aaaaaaaa', text: 'fix the parser' },
      { session: 'bbbbbbbb', text: 'list it' },
      { session: 'cccccccc', text: 'and the lexer' },
    ]);
    expect(ask("SELECT session, turn, event FROM messages WHERE text LIKE '%parser is fixed%'")).toEqual([
      { session: 'aaaaaaaa', turn: 0, event: 7 },
    ]);
  });
});

test('what became of calls', () => {
  expect(ask('SELECT "check", check_failed, error, command FROM calls WHERE "check" IS NOT NULL')).toEqual([
    {
      check: 'test',
      check_failed: 1,
      error: 'Tests 1 failed | 3 passed',
      command: 'npm test 2>&1 | tail -3',
    },
  ]);
  expect(
    ask(
      "SELECT session, agent, status FROM calls c JOIN sessions s ON s.id = c.session WHERE status = 'rejected'",
    ),
  ).toEqual([{ session: 'bbbbbbbb', agent: 'codex', status: 'rejected' }]);
  expect(
    ask("SELECT DISTINCT session, kind FROM findings WHERE kind IN ('checks', 'rejected') ORDER BY 1"),
  ).toEqual([
    { session: 'aaaaaaaa', kind: 'checks' },
    { session: 'bbbbbbbb', kind: 'rejected' },
    { session: 'cccccccc', kind: 'checks' },
  ]);
});

test('sessions say how they began, ended and belong together', () => {
  expect(
    ask(
      'SELECT id, full_id, agent, project, first_prompt, last_prompt, last_message, parent, relation, log_path FROM sessions ORDER BY id',
    ),
  ).toMatchObject([
    {
      id: 'aaaaaaaa',
      full_id: A,
      agent: 'claude_code',
      project: '/srv/app',
      first_prompt: 'fix the parser',
      last_message: 'The parser is fixed.',
      parent: null,
      log_path: paths[0],
    },
    { id: 'bbbbbbbb', agent: 'codex', last_prompt: 'list it' },
    { id: 'cccccccc', last_prompt: 'and the lexer', parent: 'aaaaaaaa', relation: 'fork' },
  ]);
});
