import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import {
  call,
  claude,
  codex,
  gemini,
  lines,
  text,
  writeLog,
  zstdOf,
} from '../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-2222-4222-8222-222222222222';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

describe('reading', () => {
  test('an append keeps all coordinates and adds to them; a half-written line waits', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    const first = lines([
      log.prompt('one'),
      log.answer('msg_0000000000000001', call('t1', 'Bash', { command: 'make all' })),
    ]);
    const path = writeLog(claudeLog(A), first);
    await desk.sessions.reading.refresh();
    const before = (await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 })).data.steps;
    expect(before[0].tools[0]).toMatchObject({ name: 'Bash', status: 'pending', event_index: 1 });

    const second = lines([
      log.result('t1', 'Exit code 2\nno rule', { error: true }),
      log.answer('msg_0000000000000002', text('It failed.')),
      log.prompt('two'),
    ]);
    appendFileSync(path, second.slice(0, -30));
    await desk.sessions.reading.refresh();
    expect((await desk.ask('get_session_turns', { session_id: A })).data.total_turns).toBe(1);
    appendFileSync(path, second.slice(-30));
    await desk.sessions.reading.refresh();
    const { turns } = (await desk.ask('get_session_turns', { session_id: A })).data;
    expect(
      turns.map((turn: { outcome: string; user_message: string }) => [turn.user_message, turn.outcome]),
    ).toEqual([
      ['one', 'failed'],
      ['two', 'partial'],
    ]);
    const after = (await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 })).data.steps;
    expect(after[0].tools[0]).toMatchObject({
      status: 'failed',
      exit_code: 2,
      event_index: 1,
      result_event: 2,
    });
    expect((await desk.ask('search_event_previews', { query: 'no rule' })).data.matches).toHaveLength(1);
  });

  test('a rewritten log is read again, a deleted one is gone', async () => {
    desk = await openDesk({ archive: false });
    const log = claude({ id: A });
    const path = writeLog(
      claudeLog(A),
      lines([log.prompt('old words'), log.answer('msg_0000000000000001', text('ok'))]),
    );
    await desk.sessions.reading.refresh();
    writeFileSync(path, lines([claude({ id: A }).prompt('new words')]));
    await desk.sessions.reading.refresh();
    expect((await desk.ask('search_event_previews', { query: 'words' })).data.matches).toMatchObject([
      { preview: 'new words', event_index: 0 },
    ]);
    rmSync(path);
    await desk.sessions.reading.refresh();
    expect((await desk.ask('get_session_summary', { session_id: A })).error.code).toBe('session_not_found');
    expect((await desk.ask('search_event_previews', { query: 'words' })).data.matches).toEqual([]);
  });

  test('cold logs in .zst, archived logs, and outputs in files of their own', async () => {
    desk = await openDesk();
    const words = 'packed '.repeat(40_000);
    const path = join(
      desk.folders.codex,
      '2026/03/01/rollout-2026-03-01T10-00-00-cccccccc-3333-7333-8333-333333333333.jsonl.zst',
    );
    mkdirSync(join(desk.folders.codex, '2026/03/01'), { recursive: true });
    writeFileSync(
      path,
      zstdOf(
        lines([
          codex.meta('cccccccc-3333-7333-8333-333333333333'),
          codex.user('unpack me'),
          codex.said(words),
          codex.said('the end'),
        ]),
      ),
    );
    const log = claude({ id: A });
    const spilled = `<persisted-output>\nOutput too large (90KB). Full output saved to: /elsewhere/${A}/tool-results/t1.txt\n\nPreview (first 2KB):\nstart`;
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('run'),
        log.answer('msg_0000000000000001', call('t1', 'Bash', { command: 'make' })),
        log.result('t1', spilled),
      ]),
    );
    writeLog(
      join(desk.folders.claude, '-srv-app', A, 'tool-results/t1.txt'),
      `start\n${'noise\n'.repeat(9000)}the needle\nend`,
    );
    await desk.sessions.reading.refresh();
    const { data } = await desk.ask('search_event_previews', { query: 'the end' });
    expect(data.matches[0]).toMatchObject({ session_id: 'cccccccc', event_index: 3 });
    let raw = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await desk.ask('get_event_details', { session_id: 'cccccccc', event_index: 2, offset });
      raw += part.data.text;
      offset = part.data.next_offset;
    }
    expect(raw).toBe(words);
    expect((await desk.ask('search_event_previews', { query: 'the needle' })).data.matches).toHaveLength(1);
    const found = await desk.ask('get_event_details', {
      session_id: A,
      event_index: 2,
      grep: 'needle',
      context_lines: 1,
    });
    expect(found.data).toMatchObject({
      source: 'spilled',
      lines: [{ line: 9001 }, { line: 9002, text: 'the needle' }, { line: 9003 }],
    });
  });

  test('the same thread in two files: the active one has the id, nothing is counted twice', async () => {
    desk = await openDesk();
    const id = 'dddddddd-4444-7444-8444-444444444444';
    const records = [codex.meta(id), codex.user('go'), codex.tokens(1000, 1000)];
    const archived = join(
      desk.home,
      'logs/codex/archived_sessions',
      `rollout-2026-03-01T10-00-00-${id}.jsonl`,
    );
    writeLog(archived, lines(records));
    writeLog(
      join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`),
      lines([...records, codex.tokens(1500, 500)]),
    );
    await desk.close(true);
    desk = await openDesk({
      home: desk.home,
      folders: [{ provider: 'codex', path: join(desk.home, 'logs/codex') }],
    });
    const { sessions } = (await desk.ask('list_sessions', {})).data;
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ id: 'dddddddd', total_tokens: 1500 });
  });
});

test('names of Codex threads are titles, the last one counts, and they stay when the log grows', async () => {
  desk = await openDesk();
  const path = writeLog(
    join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${A}.jsonl`),
    lines([codex.meta(A), codex.user('hello'), codex.said('hi')]),
  );
  const names = ['first name', 'second name'].map((thread_name) => ({
    id: A,
    thread_name,
    updated_at: '2026-03-01T10:00:00Z',
  }));
  writeLog(join(desk.folders.codex, '../session_index.jsonl'), `${lines(names)}not json\n`);
  await desk.sessions.reading.refresh();
  const title = async () => (await desk.ask('get_session_summary', { session_id: A })).data.title;
  expect(await title()).toBe('second name');
  appendFileSync(path, lines([codex.user('more')]));
  await desk.sessions.reading.refresh();
  expect(await title()).toBe('second name');
});

describe('projects', () => {
  test('worktrees of one repository are one project; Gemini names it by its hash', async () => {
    desk = await openDesk();
    const repository = join(desk.home, 'repo');
    mkdirSync(join(repository, '.git/worktrees/feature'), { recursive: true });
    writeLog(join(desk.home, 'feature/.git'), `gitdir: ${join(repository, '.git/worktrees/feature')}\n`);
    writeLog(claudeLog(A), lines([claude({ id: A, cwd: repository }).prompt('one')]));
    writeLog(claudeLog(B), lines([claude({ id: B, cwd: join(desk.home, 'feature') }).prompt('two')]));
    const chat = join(desk.folders.gemini, 'repo/chats/session-2026-03-01T10-00-12345678.jsonl');
    writeLog(
      chat,
      lines([gemini.header('12345678-7777-4777-8777-777777777777'), gemini.user('u1', 'three')]),
    );
    writeLog(join(desk.folders.gemini, 'repo/.project_root'), repository);
    await desk.sessions.reading.refresh();
    const { projects } = (await desk.ask('get_project_info', {})).data;
    expect(projects).toMatchObject([{ root_path: repository, session_count: 3 }]);
    const byHash = await desk.ask('list_sessions', { project: projects[0].hash });
    const byPath = await desk.ask('list_sessions', { project: repository });
    expect(byHash.data.sessions).toHaveLength(3);
    expect(byPath.data).toEqual(byHash.data);
  });
});
