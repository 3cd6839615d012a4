import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, codex, gemini, lines, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { keptPath } from './archive/keep-logs.ts';

/* What an agent may put beside a log: pipes, devices, and links to files that are no business of the logs. */

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const C = 'cccccccc-3333-7333-8333-333333333333';
const G = 'dddddddd-4444-4444-8444-444444444444';
const PATIENCE_MS = 60_000;
const outside = mkdtempSync(join(tmpdir(), 'pinhole-outside-'));
writeFileSync(join(outside, 't1.txt'), 'text from outside');
mkdirSync(join(outside, 'tool-results'));
writeFileSync(join(outside, 'tool-results/t1.txt'), 'text from outside');
afterAll(() => rmSync(outside, { recursive: true }));

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ archive: true });
});
afterEach(() => desk.close());

const project = () => join(desk.folders.claude, '-srv-app');
const geminiProject = () => join(desk.folders.gemini, 'app');

/** A session of each client; the one of Claude Code names an output in a file of its own. */
function writeSessions(cwd = '/srv/app') {
  const log = claude({ id: A, cwd });
  const spilled = `<persisted-output>\nOutput too large. Full output saved to: ${project()}/${A}/tool-results/t1.txt\n\nPreview:\nabc\n</persisted-output>`;
  writeLog(
    join(project(), `${A}.jsonl`),
    lines([
      log.prompt('go'),
      log.answer('msg_1', call('t1', 'Bash', { command: 'make' })),
      log.result('t1', spilled),
    ]),
  );
  const agent = claude({ id: A, cwd, extra: { isSidechain: true, agentId: 'abc123' } });
  writeLog(join(project(), A, 'subagents/agent-abc123.jsonl'), lines([agent.prompt('dig')]));
  writeLog(
    join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${C}.jsonl`),
    lines([codex.meta(C), codex.user('look'), codex.said('yes')]),
  );
  const chat = { ...gemini.header(G), messages: [gemini.user('u', 'hello'), gemini.answer('m')] };
  writeLog(
    join(geminiProject(), 'chats/session-2026-03-01T10-00-00000004.json'),
    JSON.stringify(chat, undefined, 2),
  );
}

const odd: Record<string, (path: string) => void> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to a file elsewhere': (path) => symlinkSync(join(outside, 't1.txt'), path),
};

const places: Record<string, () => string> = {
  'a spilled output': () => join(project(), A, 'tool-results/t1.txt'),
  'the facts on a subagent': () => join(project(), A, 'subagents/agent-abc123.meta.json'),
  'the name of a project': () => join(geminiProject(), '.project_root'),
  'the list of projects': () => join(desk.folders.gemini, '../projects.json'),
  'the database of Codex': () => join(desk.folders.codex, '../state_5.sqlite'),
  'the journal of the database': () => join(desk.folders.codex, '../state_5.sqlite-wal'),
  'the names of threads': () => join(desk.folders.codex, '../session_index.jsonl'),
  'the settings of a client': () => join(desk.folders.claude, '../settings.json'),
  'a log': () => join(project(), 'bbbbbbbb-2222-4222-8222-222222222222.jsonl'),
};

/** How many sessions are listed, those of subagents aside. */
const sessions = async () => (await desk.ask('list_sessions', { limit: 50 })).data.sessions.length;

const output = () => desk.ask('get_event_details', { session_id: A, event_index: 2 });

/** Every copy in the archive, by name. */
function kept(): readonly string[] {
  const archive = join(desk.home, 'data/archive');
  return existsSync(archive) ? readdirSync(archive, { recursive: true }).map(String) : [];
}

test.each(Object.keys(places).flatMap((place) => Object.keys(odd).map((kind) => [place, kind] as const)))(
  '%s that is %s costs no session',
  { timeout: PATIENCE_MS },
  async (place, kind) => {
    writeSessions();
    const path = places[place]?.() ?? '';
    mkdirSync(dirname(path), { recursive: true });
    odd[kind]?.(path);
    await desk.sessions.reading.refresh();
    expect(await sessions()).toBe(3);
    const { data } = await output();
    // Of the log.
    expect(data.source).toBeUndefined();
    expect(data.text).toContain('Preview');
    expect(JSON.stringify(data)).not.toContain('outside');
    expect(kept()).not.toContain(`${path.slice(1)}.gz`);
  },
);

test.each([
  ['the folder of outputs', () => join(project(), A, 'tool-results'), outside],
  ['the folder of the session', () => join(project(), A), outside],
])('%s that is a link is not read and not kept', { timeout: PATIENCE_MS }, async (_name, path, target) => {
  writeSessions();
  rmSync(path(), { recursive: true, force: true });
  symlinkSync(target, path());
  await desk.sessions.reading.refresh();
  expect((await output()).data.source).toBeUndefined();
  expect(JSON.stringify((await output()).data)).not.toContain('outside');
  expect(
    existsSync(keptPath(join(desk.home, 'data/archive'), join(project(), A, 'tool-results/t1.txt'))),
  ).toBe(false);
});

test('an output in its place is read and kept', async () => {
  writeSessions();
  writeLog(join(project(), A, 'tool-results/t1.txt'), 'all of it');
  await desk.sessions.reading.refresh();
  expect((await output()).data).toMatchObject({ text: 'all of it', source: 'spilled' });
  expect(
    existsSync(keptPath(join(desk.home, 'data/archive'), join(project(), A, 'tool-results/t1.txt'))),
  ).toBe(true);
});

test('the log folder itself may be a link', async () => {
  await desk.close();
  const real = mkdtempSync(join(tmpdir(), 'pinhole-logs-'));
  const link = join(outside, 'logs');
  symlinkSync(real, link);
  desk = await openDesk({ folders: [{ provider: 'claude_code', path: link }] });
  const log = claude({ id: A });
  const spilled = `<persisted-output>\nOutput too large. Full output saved to: ${link}/-srv-app/${A}/tool-results/t1.txt\n\nPreview:\nabc\n</persisted-output>`;
  writeLog(
    join(link, '-srv-app', `${A}.jsonl`),
    lines([log.prompt('go'), log.answer('msg_1', call('t1', 'Bash', {})), log.result('t1', spilled)]),
  );
  writeLog(join(link, '-srv-app', A, 'tool-results/t1.txt'), 'all of it');
  await desk.sessions.reading.refresh();
  expect((await output()).data).toMatchObject({ text: 'all of it', source: 'spilled' });
  rmSync(real, { recursive: true });
});

test.each(['a pipe', 'a link to /dev/zero'])(
  '%s as .git where a session ran costs no session',
  { timeout: PATIENCE_MS },
  async (kind) => {
    const cwd = mkdtempSync(join(tmpdir(), 'pinhole-cwd-'));
    odd[kind]?.(join(cwd, '.git'));
    writeSessions(cwd);
    await desk.sessions.reading.refresh();
    expect(await sessions()).toBe(3);
    rmSync(cwd, { recursive: true });
  },
);
