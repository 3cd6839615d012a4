import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import { claude, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { temporaryFolder } from '../../test/support.ts';
import type { SessionChange } from './follow.ts';
import { sessionChangeCard } from './operations/session-change.ts';
import { PROVIDERS } from './providers/index.ts';
import { watchLogs } from './watch-logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-2222-4222-8222-222222222222';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

describe('live', () => {
  test('what a running session writes is found without a search of all folders', async () => {
    desk = await openDesk({ watch: false });
    mkdirSync(join(desk.folders.claude, '-srv-app'), { recursive: true });
    await desk.close(true);
    desk = await openDesk({ home: desk.home, watch: true });
    const log = claude({ id: A });
    const path = claudeLog(A);
    const changed = () =>
      new Promise<void>((resolve) => {
        const stop = desk.sessions.reading.onChange(() => {
          stop();
          resolve();
        });
      });
    let seen = changed();
    writeLog(path, lines([log.prompt('first words')]));
    await seen;
    const waited: number[] = [];
    for (const word of ['alpha', 'beta', 'gamma']) {
      const started = performance.now();
      seen = changed();
      appendFileSync(path, lines([log.prompt(`more ${word}`)]));
      await seen;
      expect((await desk.ask('search_event_previews', { query: `more ${word}` })).data.matches).toHaveLength(
        1,
      );
      waited.push(performance.now() - started);
    }
    // The fastest alone: other work on the machine only makes them slower. Folders are listed every five seconds.
    expect(Math.min(...waited)).toBeLessThan(2_500);
    // Written beside and moved into place, as some clients do.
    seen = changed();
    writeFileSync(`${path}.tmp`, lines([claude({ id: A }).prompt('replaced')]));
    renameSync(`${path}.tmp`, path);
    await seen;
    expect((await desk.ask('search_event_previews', { query: 'replaced' })).data.matches).toHaveLength(1);
  });
});

test('a folder on a drive that hangs is left alone, and the others are followed', async () => {
  desk = await openDesk({ watch: false });
  const { claude: slow, codex: quick } = desk.folders;
  for (const path of [slow, quick]) mkdirSync(path, { recursive: true });
  const changed = vi.fn<(paths: readonly string[]) => void>();
  const look = (path: string) => (path === slow ? new Promise<never>(() => {}) : stat(path));
  const folders = [
    { provider: 'claude_code', path: slow },
    { provider: 'codex', path: quick },
  ];
  const watching = await watchLogs(
    folders,
    changed,
    () => {},
    () => {},
    { look, maxWaitMs: 50 },
  );
  writeFileSync(join(slow, 'a.jsonl'), '');
  writeFileSync(join(quick, 'b.jsonl'), '');
  await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 10_000);
  await watching.close();
  expect(new Set(changed.mock.calls.flatMap(([paths]) => paths))).toEqual(new Set([join(quick, 'b.jsonl')]));
});

test('a log that is one file of a project is followed', async () => {
  const home = temporaryFolder();
  const history = join(home, 'app', '.aider.chat.history.md');
  mkdirSync(join(home, '.aider'));
  mkdirSync(join(home, 'app'));
  writeFileSync(history, '\n# aider chat started at 2026-03-01 10:00:00\n\n\n#### alpha  \n');
  desk = await openDesk({ home, watch: true, providers: [...PROVIDERS], folders: undefined });
  await desk.sessions.reading.refresh();
  const seen = new Promise<void>((resolve) => {
    const stop = desk.sessions.reading.onChange(() => {
      stop();
      resolve();
    });
  });
  appendFileSync(history, '\n#### beta gamma  \n');
  await seen;
  expect((await desk.ask('search_event_previews', { query: 'beta gamma' })).data.matches).toHaveLength(1);
});

test('a folder that was deleted and created again is watched again', async () => {
  desk = await openDesk({ watch: false });
  writeLog(claudeLog(A), lines([claude({ id: A }).prompt('before')]));
  await desk.close(true);
  desk = await openDesk({ home: desk.home, watch: true });
  await desk.sessions.reading.refresh();
  const seen = (query: string) =>
    vi.waitUntil(
      async () => (await desk.ask('search_event_previews', { query })).data.matches.length > 0 || undefined,
      { timeout: 60_000, interval: 50 },
    );
  await seen('before');
  rmSync(desk.folders.claude, { recursive: true });
  const log = claude({ id: B });
  writeLog(claudeLog(B), lines([log.prompt('after')]));
  await seen('after');
  appendFileSync(claudeLog(B), lines([log.prompt('and on')]));
  await seen('and on');
  expect((await desk.ask('get_session_summary', { session_id: A })).error.code).toBe('session_not_found');
});

test('a follower is told of every change of its session and of its subagents, with what is new', async () => {
  desk = await openDesk();
  const log = claude({ id: A });
  const path = writeLog(claudeLog(A), lines([log.prompt('first')]));
  await desk.sessions.reading.refresh();
  const told: SessionChange[] = [];
  const stop = desk.sessions.reading.follow(await desk.sessions.list.find(A), (change) => told.push(change));
  const next = () => vi.waitUntil(() => told.shift(), { timeout: 60_000, interval: 5 });
  appendFileSync(path, lines([log.answer('msg_1', text('on it')), log.prompt('second')]));
  await desk.sessions.reading.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({
    first_event: 1,
    events: 3,
    first_turn: 0,
    turns: 2,
  });
  const agent = claude({ id: A, extra: { isSidechain: true, agentId: 'abc123' } });
  writeLog(
    join(desk.folders.claude, '-srv-app', A, 'subagents/agent-abc123.jsonl'),
    lines([agent.prompt('look')]),
  );
  writeLog(claudeLog(B), lines([claude({ id: B }).prompt('somebody else')]));
  await desk.sessions.reading.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({ first_event: 3, events: 3, subagents: true });
  writeLog(path, lines([claude({ id: A }).prompt('all new')]));
  await desk.sessions.reading.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({ first_event: 0, events: 1, rewritten: true });
  stop();
  appendFileSync(path, lines([log.prompt('unheard')]));
  await desk.sessions.reading.refresh();
  expect(told).toEqual([]);
});
