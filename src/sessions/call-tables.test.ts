import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTables } from '../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, writeLog } from '../../test/fixtures/sessions/logs.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';

test('calls name the session of the subagent that they started, if it has a log', async () => {
  const desk = await openDesk();
  const log = claude({ id: ID });
  const child = claude({ id: ID, extra: { isSidechain: true, agentId: 'abc123' } });
  const folder = join(desk.folders.claude, '-srv-app');
  const task = (id: string) =>
    call(id, 'Task', { description: id, prompt: 'look', subagent_type: 'Explore' });
  writeLog(
    join(folder, `${ID}.jsonl`),
    lines([
      log.prompt('explore'),
      log.answer('msg_1', task('first')),
      log.result('first', 'found', { beside: { agentId: 'abc123', content: [] } }),
      log.answer('msg_2', task('second')),
      log.result('second', 'found', { beside: { agentId: 'gone99', content: [] } }),
      log.answer('msg_3', call('third', 'Bash', { command: 'ls' })),
      log.result('third', 'a'),
    ]),
  );
  writeLog(
    join(folder, ID, 'subagents', 'agent-abc123.jsonl'),
    lines([child.prompt('look'), child.answer('msg_4', call('inner', 'Bash', { command: 'pwd' }))]),
  );
  await desk.sessions.reading.refresh();
  const { file } = await desk.sessions.database(new AbortController().signal);
  const tables = openTables(file ?? '');
  try {
    const [{ id } = {}] = tables.ask("SELECT id FROM sessions WHERE relation = 'subagent'");
    expect(
      tables.ask(`SELECT target, agent_session FROM calls WHERE session = 'aaaaaaaa' ORDER BY event`),
    ).toEqual([
      { target: 'first', agent_session: id },
      expect.objectContaining({ target: 'second' }),
      expect.anything(),
    ]);
    expect(tables.ask("SELECT target FROM calls WHERE kind = 'agent' AND agent_session IS NULL")).toEqual([
      { target: 'second' },
    ]);
  } finally {
    tables.close();
    await desk.close();
  }
});

test('sessions with failed calls are the same in sql and in list_sessions', async () => {
  const desk = await openDesk();
  const sessions = [
    ['go test ./... | tail -3', '--- FAIL: TestA (0.01s)', false],
    ['ls nowhere', "Exit code 2\nls: cannot access 'nowhere'", true],
    ['go test ./... | tail -3', 'ok  \tpkg\t0.1s', false],
  ] as const;
  for (const [at, [command, output, error]] of sessions.entries()) {
    const id = `${at}${ID.slice(1)}`;
    const log = claude({ id });
    writeLog(
      join(desk.folders.claude, '-srv-app', `${id}.jsonl`),
      lines([
        log.prompt('go'),
        log.answer('m1', call('a', 'Bash', { command })),
        log.result('a', output, { error }),
      ]),
    );
  }
  await desk.sessions.reading.refresh();
  const { file } = await desk.sessions.database(new AbortController().signal);
  const tables = openTables(file ?? '');
  try {
    const failed = [{ session: '0aaaaaaa' }, { session: '1aaaaaaa' }];
    expect(tables.ask("SELECT session FROM calls WHERE status = 'failed' ORDER BY 1")).toEqual(failed);
    expect(tables.ask('SELECT id AS session FROM sessions WHERE failed > 0 ORDER BY 1')).toEqual(failed);
    expect(tables.ask('SELECT session FROM turns WHERE failed > 0 ORDER BY 1')).toEqual(failed);
    for (const filter of [{ calls: { status: 'failed' } }, { failed: true }] as const) {
      const listed = await desk.sessions.list.page(filter, undefined, 10);
      expect(
        listed
          .map(({ id }) => ({ session: id.slice(0, 8) }))
          .sort((a, b) => a.session.localeCompare(b.session)),
      ).toEqual(failed);
    }
  } finally {
    tables.close();
    await desk.close();
  }
});

test('a call has its whole input, and one that was cancelled says whether a call beside it failed', async () => {
  const desk = await openDesk();
  const log = claude({ id: ID });
  const sibling = '<tool_use_error>Sibling tool call errored</tool_use_error>';
  const cut = '[Request interrupted by user for tool use]';
  writeLog(
    join(desk.folders.claude, '-srv-app', `${ID}.jsonl`),
    lines([
      log.prompt('go'),
      log.answer(
        'm1',
        call('a', 'Edit', { file_path: '/srv/app/a.ts', old_string: 'one', new_string: 'two' }),
      ),
      log.result('a', 'done'),
      log.answer('m2', call('b', 'Bash', { command: 'ls' })),
      log.result('b', sibling, { error: true }),
      log.answer('m3', call('c', 'Bash', { command: 'ls' })),
      log.result('c', cut, { error: true }),
    ]),
  );
  await desk.sessions.reading.refresh();
  const { file } = await desk.sessions.database(new AbortController().signal);
  const tables = openTables(file ?? '');
  try {
    const [{ input } = {}] = tables.ask("SELECT input FROM calls WHERE tool = 'Edit'");
    expect(input).toMatch(/one[\s\S]*two/);
    expect(tables.ask("SELECT status, error FROM calls WHERE tool = 'Bash' ORDER BY event")).toEqual([
      { status: 'cancelled', error: 'a call beside it failed' },
      { status: 'cancelled', error: null },
    ]);
  } finally {
    tables.close();
    await desk.close();
  }
});
