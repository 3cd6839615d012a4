import { appendFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLIENT_LOGS, filesOf } from '../../../test/fixtures/client-logs/fixtures.ts';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { claude, codex, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { allLogs } from '../ingest/plan-scan.ts';
import { skimLogs } from '../ingest/skim-logs.ts';
import type { JsonObject } from '../model/log-json.ts';
import { PROVIDERS, providerNamed } from './index.ts';

const CLAUDE = 'aaaaaaaa-1111-4111-8111-111111111111';
const CODEX = '01a1dcbe-0000-7000-8000-000000000001';
const ROLLOUT = `rollout-2026-03-01T10-00-00-${CODEX}.jsonl`;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ providers: [...PROVIDERS] });
});
afterEach(() => desk.close());

const ofClaude = (name: string) => join(desk.folders.claude, '-srv-app', name);
const ofCodex = (name: string) => join(desk.folders.codex, '2026/03/01', name);

const log = claude({ id: CLAUDE });
const claudeLog = lines([log.prompt('go'), log.answer('msg_1', text('done'))]);
const codexLog = lines([codex.meta(CODEX), codex.user('look'), codex.said('yes'), codex.tokens(10, 10)]);

/** What is listed after everything was read. */
async function listed() {
  await desk.sessions.reading.refresh();
  const rows = await desk.sessions.list.page({}, undefined, 50);
  return rows
    .map(({ id, provider, turns }) => ({ id, provider, turns }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The agent and the tokens of each log, where only tokens are read. */
function skimmed() {
  const archive = { folder: join(desk.home, 'archive'), on: false, unredacted: false, forgotten: [] };
  const logs = allLogs(PROVIDERS, desk.sessions.reading.folders, archive).map(({ log }) => log);
  const found = skimLogs(
    PROVIDERS,
    logs.map((one) => ({ log: one, size: 0, origin: undefined, depth: 'tokens' as const })),
  );
  return found.map((one) => [one?.provider, one?.responses.length]).sort();
}

test("a rollout in Claude Code's folder is a session of Codex", async () => {
  writeLog(ofClaude(ROLLOUT), codexLog);
  writeLog(ofClaude(`${CLAUDE}.jsonl`), claudeLog);
  expect(await listed()).toEqual([
    { id: CODEX, provider: 'codex', turns: 1 },
    { id: CLAUDE, provider: 'claude_code', turns: 1 },
  ]);
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  expect(skimmed()).toEqual([
    ['claude_code', 1],
    ['codex', 1],
  ]);
});

test("a log of Claude Code in Codex's folder is a session of Claude Code", async () => {
  writeLog(ofCodex(`${CLAUDE}.jsonl`), claudeLog);
  writeLog(ofCodex(ROLLOUT), codexLog);
  expect(await listed()).toEqual([
    { id: CODEX, provider: 'codex', turns: 1 },
    { id: CLAUDE, provider: 'claude_code', turns: 1 },
  ]);
});

test("lines that no agent writes in Claude Code's folder are no session, and the doctor names the file", async () => {
  const notes = writeLog(ofClaude('notes.jsonl'), lines([{ note: 'buy milk' }, { note: 'call home' }]));
  writeLog(ofClaude(`${CLAUDE}.jsonl`), claudeLog);
  expect(await listed()).toEqual([{ id: CLAUDE, provider: 'claude_code', turns: 1 }]);
  expect(await desk.text('sessions_doctor', {})).toContain(
    `cannot read ${notes}: its records are not those of any agent that Pinhole knows, so it is not read`,
  );
});

test('a log that shows only later whose it is', async () => {
  const notes = writeLog(ofClaude('notes.jsonl'), '\n');
  const rollout = writeLog(ofClaude(ROLLOUT), codexLog.slice(0, 20));
  expect(await listed()).toEqual([]);
  expect(await desk.sessions.reading.health()).toMatchObject({ files: 2, sessions: 2 });
  writeLog(rollout, codexLog);
  appendFileSync(notes, lines([{ note: 'buy milk' }]));
  expect(await listed()).toEqual([{ id: CODEX, provider: 'codex', turns: 1 }]);
  expect(await desk.sessions.reading.health()).toMatchObject({ files: 1, sessions: 1 });
});

test('a log with another name, in the folder of its own agent, is its own', async () => {
  writeLog(ofClaude('renamed.jsonl'), claudeLog);
  writeLog(ofCodex('renamed.jsonl'), codexLog);
  expect(await listed()).toEqual([
    { id: CODEX, provider: 'codex', turns: 1 },
    { id: CLAUDE, provider: 'claude_code', turns: 1 },
  ]);
});

const SIGNED = PROVIDERS.filter(({ signature }) => signature !== undefined);

test('real logs have the signature of their agent and of no other', () => {
  for (const client of CLIENT_LOGS)
    for (const path of filesOf(client).filter((one) => one.endsWith('.jsonl'))) {
      const content = readFileSync(join(client.home, path), 'utf8').trimEnd().split('\n').slice(0, 20);
      const records: JsonObject[] = content.map((line) => JSON.parse(line));
      const found = SIGNED.filter(({ signature }) => records.some((record) => signature?.has(record)));
      const own = SIGNED.filter((one) => one === providerNamed(PROVIDERS, client.expected.client));
      expect([path, found.map(({ id }) => id)]).toEqual([path, own.map(({ id }) => id)]);
      // A subagent of Gemini CLI has the bare id that other agents use too, so its log is looked at.
      const isSubagent = /\/chats\/[^/]+\//.test(path);
      for (const { signature } of own) if (!isSubagent) expect(basename(path)).toMatch(signature?.name ?? '');
    }
});
