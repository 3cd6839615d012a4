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
  const { steps } = (await desk.ask('get_turn_steps', { session_id: '0f1e', turn_index: 0 })).data;
  expect(steps[0].tools).toMatchObject([{ name: 'Read', status: 'unknown' }]);
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
      { kind: 2, k: ['requests'], v: [{ ...request, requestId: 'r2' }] },
      { kind: 2, k: ['requests'], i: 1 },
      { kind: 1, k: ['requests', 0, 'modelId'], v: 'wrong' },
      { kind: 3, k: ['requests', 0, 'modelId'] },
    ]),
  );
  const { desk, sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([{ id, provider: 'vscode_chat', title: 'Adding', turns: 1 }]);
  const { steps } = (await desk.ask('get_turn_steps', { session_id: id, turn_index: 0 })).data;
  expect(steps[0].message).toContain('Done.');
  expect((await desk.sessions.list.find(id))?.model).toBeUndefined();
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

test('a thread of a subagent of Zed: its folder, parent and time are columns, its answers are lists', async () => {
  const home = temporaryFolder();
  const file = join(home, '.local/share/zed/threads/threads.db');
  mkdirSync(dirname(file), { recursive: true });
  const db = new (loadDriver())(file);
  db.exec(`CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB, parent_id TEXT,
    folder_paths TEXT, folder_paths_order TEXT, created_at TEXT)`);
  const call = {
    id: 't1',
    name: 'terminal',
    raw_input: '{}',
    input: { command: 'ls' },
    is_input_complete: true,
  };
  const result = {
    tool_use_id: 't1',
    tool_name: 'terminal',
    is_error: true,
    content: [{ Text: 'no such file' }],
  };
  const thread = {
    version: '0.3.0',
    title: 'T',
    messages: [
      { User: { id: 'u1', content: [{ Text: 'Hi' }] } },
      { Agent: { content: [{ ToolUse: call }], tool_results: { t1: result }, reasoning_details: null } },
      'Resume',
    ],
    updated_at: '2026-11-15T22:00:00Z',
  };
  db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    ...['z2', 'T', '2026-11-15T22:00:00Z', 'json', Buffer.from(JSON.stringify(thread))],
    ...['z1', '/srv/a\n/srv/b', '1,0', '2026-11-15T21:00:00Z'],
  );
  db.close();
  const { desk, sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([
    {
      id: 'z2',
      cwd: '/srv/b',
      parentId: 'z1',
      startMs: Date.UTC(2026, 10, 15, 21),
      unknownRecords: 0,
      failures: 1,
    },
  ]);
  const { data } = await desk.ask('get_turn_steps', { session_id: 'z2', turn_index: 0 });
  expect(JSON.stringify(data)).toContain('"no such file"');
});

test('what Goose asks the user, and calls of its front end, are known', async () => {
  const home = temporaryFolder();
  const file = join(home, '.local/share/goose/sessions/sessions.db');
  mkdirSync(dirname(file), { recursive: true });
  const db = new (loadDriver())(file);
  db.exec(`CREATE TABLE sessions (id TEXT, working_dir TEXT, updated_at TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
    INSERT INTO sessions VALUES ('g1', '/srv/a', '2026-11-15 22:00:00')`);
  const add = db.prepare("INSERT INTO messages VALUES (NULL, 'g1', ?, ?, 1794790000)");
  add.run('user', JSON.stringify([{ type: 'text', text: 'Hi' }]));
  const value = { name: 'show', arguments: { url: 'x' } };
  add.run(
    'assistant',
    JSON.stringify([
      { type: 'frontendToolRequest', id: 'c1', toolCall: { status: 'success', value } },
      { type: 'toolConfirmationRequest', id: 'c1', toolName: 'show', arguments: {} },
      { type: 'actionRequired', data: { actionType: 'elicitation', id: 'e', message: 'Which?' } },
      { type: 'conversationCompacted', msg: 'Compacted' },
    ]),
  );
  db.close();
  const { sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([{ id: 'g1', turns: 1, toolCalls: 1, unknownRecords: 0 }]);
});

test('tokens and times of Amp that only its ledger has', async () => {
  const home = temporaryFolder();
  const said = (text: string) => [{ type: 'text', text }];
  const at = Date.UTC(2026, 10, 15, 22);
  write(
    join(home, '.local/share/amp/threads/T-1.json'),
    JSON.stringify({
      v: 195,
      id: 'T-1',
      created: at,
      messages: [
        { role: 'user', messageId: 0, content: said('Hi') },
        { role: 'assistant', messageId: 1, content: said('Hello') },
      ],
      usageLedger: {
        events: [
          {
            ...{ id: 'e1', timestamp: '2026-11-15T22:05:00.000Z', model: 'claude-haiku-4-5', credits: 1.5 },
            ...{ tokens: { input: 100, output: 50 }, fromMessageId: 0, toMessageId: 1 },
          },
        ],
      },
    }),
  );
  const { sessions } = await sessionsOf(home);
  expect(sessions).toMatchObject([{ id: 'T-1', totalTokens: 150, startMs: at, endMs: at + 300_000 }]);
});
