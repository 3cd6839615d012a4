import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { loadDriver } from '../../store/sqlite.ts';
import { PROVIDERS } from './index.ts';

async function sessionsOf(home: string) {
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
  onTestFinished(() => desk.close(true));
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  return { desk, sessions: await desk.sessions.list.page({}, undefined, 10) };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const lines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

test('a transcript of the Cursor command line: prompts, answers and calls, without times and tokens', async () => {
  const home = temporaryFolder();
  const said = (text: string) => ({ type: 'text', text });
  write(
    join(home, '.cursor/projects/srv-project/agent-transcripts/0f1e/0f1e.jsonl'),
    lines([
      { role: 'user', message: { content: [said('<user_query>\nFix add()\n</user_query>')] } },
      {
        role: 'assistant',
        message: {
          content: [said('I look.'), { type: 'tool_use', name: 'Read', input: { path: '/srv/a.js' } }],
        },
      },
    ]),
  );
  const { desk, sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([
    { id: '0f1e', provider: 'cursor', turns: 1, toolCalls: 1, totalTokens: 0 },
  ]);
  expect(sessions[0]?.startMs).toBeGreaterThan(Date.UTC(2020, 0));
  const { turns } = (await desk.ask('get_session_turns', { session_id: '0f1e' })).data;
  expect(turns).toMatchObject([{ user_message: 'Fix add()' }]);
  expect(await desk.sessions.usage.by('agent', 'UTC', {})).toEqual([]);
});

test('a VS Code chat that is written as changes is the chat that they lead to', async () => {
  const home = temporaryFolder();
  const id = '9c0de6f2-6a25-4b1f-8f0f-3a5f0c9e1d22';
  const request = {
    requestId: 'r1',
    timestamp: 1_794_790_000_000,
    message: { text: 'Fix add()' },
    response: [],
  };
  write(
    join(home, `.config/Code/User/workspaceStorage/3f2a/chatSessions/${id}.jsonl`),
    lines([
      { kind: 0, v: { version: 3, sessionId: id, creationDate: 1_794_790_000_000, requests: [] } },
      { kind: 2, k: ['requests'], v: [request] },
      { kind: 1, k: ['requests', 0, 'response'], v: [{ value: 'It is wrong.' }] },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Done.' }], i: 1 },
      { kind: 1, k: ['customTitle'], v: 'Adding' },
    ]),
  );
  const { desk, sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([{ id, provider: 'vscode_chat', title: 'Adding', turns: 1 }]);
  const { steps } = (await desk.ask('get_turn_steps', { session_id: id, turn_index: 0 })).data;
  expect(steps[0].message).toContain('Done.');
});

/** A zstd frame with one block that is not compressed. */
function zstdFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = (bytes.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, block & 255, (block >> 8) & 255, block >> 16]),
    bytes,
  ]);
}

test('a packed thread of Zed', async () => {
  const home = temporaryFolder();
  const file = join(home, '.local/share/zed/threads/threads.db');
  mkdirSync(dirname(file), { recursive: true });
  const db = new (loadDriver())(file);
  db.exec('CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)');
  const thread = {
    title: 'T',
    messages: [{ User: { content: [{ Text: 'Hi' }] } }],
    updated_at: '2026-11-15T22:00:00Z',
  };
  db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?)').run(
    ...['z1', 'T', '2026-11-15T22:00:00Z', 'zstd', zstdFrame(JSON.stringify(thread))],
  );
  db.close();
  const { sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([{ id: 'z1', title: 'T', turns: 1, startMs: Date.UTC(2026, 10, 15, 22) }]);
});
