import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { scribe } from '../../../test/fixtures/sessions/scribe/index.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { PROVIDERS } from './index.ts';

const ID = '5c81be00-1111-4111-8111-111111111111';
const OTHER_ID = 'aaaaaaaa-1111-4111-8111-111111111111';

let desk: Desk;
afterEach(() => desk.close());

function writeLogs(home: string): void {
  writeLog(
    join(home, '.scribe', `${ID}.jsonl`),
    lines([
      { at: '2026-03-01T10:00:00Z', asked: 'Fix the colophon', about: 'The colophon', in: '/srv/book' },
      {
        at: '2026-03-01T10:00:05Z',
        answer: 'a1',
        said: 'The year is wrong.',
        did: 'amend',
        call: 'c1',
        with: { path: 'colophon.txt', old_string: 'MMXXV', new_string: 'MMXXVI' },
        read: 900,
        wrote: 40,
      },
      { at: '2026-03-01T10:00:09Z', call: 'c1', got: 'amended, the vellum is dry' },
    ]),
  );
  const log = claude({ id: OTHER_ID });
  writeLog(
    join(home, '.claude/projects/-srv-app', `${OTHER_ID}.jsonl`),
    lines([log.prompt('hello'), log.answer('msg_0000000000000001', text('hi'))]),
  );
}

const open = (home: string, providers = [...PROVIDERS, scribe]) =>
  openDesk({ home, providers, folders: undefined });

test('a fourth agent needs a record and a place in the list', async () => {
  const home = temporaryFolder();
  writeLogs(home);
  desk = await open(home);
  const { sessions } = (await desk.ask('list_sessions', {})).data;
  expect(sessions).toHaveLength(2);
  const listed = (await desk.ask('list_sessions', { provider: 'Scribe' })).data.sessions;
  expect(listed).toMatchObject([
    {
      id: ID.slice(0, 8),
      provider: 'scribe',
      title: 'The colophon',
      snippet: 'Fix the colophon',
      turn_count: 1,
      total_tokens: 940,
    },
  ]);
  const { turns } = (await desk.ask('get_session_turns', { session_id: ID })).data;
  expect(turns).toMatchObject([{ user_message: 'Fix the colophon', outcome: 'success', step_count: 1 }]);
  const { steps } = (await desk.ask('get_turn_steps', { session_id: ID, turn_index: 0 })).data;
  expect(steps).toMatchObject([
    {
      message: 'The year is wrong.',
      tools: [{ name: 'amend', result: 'amended, the vellum is dry', status: 'ok' }],
    },
  ]);
  const { files } = (await desk.ask('session_files', { session_id: ID })).data;
  expect(files).toEqual([{ path: '/srv/book/colophon.txt', reads: 0, edits: 1 }]);
  const { touches } = (await desk.ask('file_history', { path: '/srv/book/colophon.txt' })).data;
  expect(touches).toMatchObject([{ action: 'edit', diff: expect.stringContaining('+MMXXVI') }]);
  const { matches } = (await desk.ask('search_event_previews', { query: 'vellum' })).data;
  expect(matches).toMatchObject([{ session_id: ID.slice(0, 8) }]);
  const { context } = (await desk.ask('current_session', { session_id: ID })).data;
  expect(context).toEqual({ tokens: 940, window: 50_000, assumed: true });
});

test('what it did belongs to no other agent', async () => {
  const home = temporaryFolder();
  writeLogs(home);
  desk = await open(home);
  for (const { id } of PROVIDERS) {
    const { sessions } = (await desk.ask('list_sessions', { provider: id })).data;
    expect(sessions.map((card: { id: string }) => card.id)).toEqual(
      id === 'claude_code' ? [OTHER_ID.slice(0, 8)] : [],
    );
  }
  const usage = await desk.sessions.usage.by('model', 'UTC', { provider: 'scribe' });
  expect(usage.map(({ group, total }) => [group, total])).toEqual([['quill-1', 940]]);
});

test('a session of an agent that is no longer in the list keeps its name and its texts', async () => {
  const home = temporaryFolder();
  writeLogs(home);
  desk = await open(home);
  await desk.close(true);
  desk = await open(home, [...PROVIDERS]);
  const session = await desk.sessions.list.find(ID);
  expect(session.provider).toBe('scribe');
  const event = await desk.sessions.events.at(session, 3);
  expect(await desk.sessions.events.text(session, event, false)).toEqual({
    text: 'amended, the vellum is dry',
    source: 'index',
  });
});
