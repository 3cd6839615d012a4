import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, claude, codex, lines, text, tick, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import type { Database } from '../../store/database.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { claudeCode } from '../providers/claude-code/index.ts';
import { codex as codexProvider } from '../providers/codex/index.ts';
import { logFile } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { ingestFile } from './ingest-file.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pinhole-facts-'));
  db = await openSqlite(join(folder, 'sessions.db'), SESSIONS_SCHEMA);
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const OTHER = 'bbbbbbbb-1111-4111-8111-111111111111';

async function read(provider: Provider, id: string, records: readonly unknown[]): Promise<string> {
  const path = writeLog(join(folder, `${id}.jsonl`), lines(records));
  await ingestFile(db, logFile(provider, path), { provider, redact: (said) => said });
  return path;
}

test('what a call did, and what became of it', async () => {
  const log = claude({ id: ID });
  await read(claudeCode, ID, [
    log.prompt('go'),
    log.answer('m1', call('a', 'Bash', { command: 'go test ./... 2>&1 | tail -3' })),
    log.result('a', '--- FAIL: TestA (0.01s)\nFAIL\tpkg\t0.1s'),
    log.answer('m2', call('b', 'Edit', { file_path: '/srv/app/a.go', old_string: 'x', new_string: 'y' })),
    log.result(
      'b',
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …). To tell you how to proceed, the user said:\nlet's cut a branch first",
      { error: true },
    ),
    log.answer('m3', call('c', 'Bash', { command: 'ls nowhere' })),
    log.result('c', "Exit code 2\nls: cannot access 'nowhere': No such file or directory", { error: true }),
    log.answer(
      'm4',
      call('d', 'Task', { description: 'Find the leak', subagent_type: 'Explore', prompt: 'dig' }),
    ),
    log.result('d', 'found'),
    log.answer('m5', call('e', 'WebFetch', { url: 'https://example.org/a', prompt: 'what' })),
  ]);
  expect(
    await db.all(
      'SELECT kind, target, command, program, status, exit_code, error, error_class, check_kind, check_failed, agent_type, result_bytes FROM tools ORDER BY call',
    ),
  ).toEqual([
    expect.objectContaining({
      kind: 'execute',
      target: null,
      command: 'go test ./... 2>&1 | tail -3',
      status: 'ok',
      program: 'go test',
      error: 'TestA; pkg',
      error_class: 'go test: FAIL',
      check_kind: 'test',
      check_failed: 1,
      result_bytes: 37,
    }),
    expect.objectContaining({
      kind: 'edit',
      target: '/srv/app/a.go',
      command: null,
      program: null,
      status: 'rejected',
      error: "let's cut a branch first",
      error_class: null,
      check_kind: null,
      check_failed: null,
    }),
    expect.objectContaining({
      status: 'failed',
      exit_code: 2,
      error: "ls: cannot access 'nowhere': No such file or directory",
      error_class: 'ls: cannot access "…": No such file or directory',
    }),
    expect.objectContaining({ kind: 'agent', target: 'Find the leak', agent_type: 'Explore', error: null }),
    expect.objectContaining({ kind: 'web', target: 'https://example.org/a', status: 'pending' }),
  ]);
  expect(await db.all('SELECT failures, rejected, interrupted, last_prompt FROM sessions')).toEqual([
    { failures: 2, rejected: 1, interrupted: 0, last_prompt: 'go' },
  ]);
});

test('a result that comes when the log is read again keeps what the call said', async () => {
  const log = claude({ id: ID });
  const path = await read(claudeCode, ID, [
    log.prompt('go'),
    log.answer('m1', call('a', 'Bash', { command: 'npm test' })),
  ]);
  appendFileSync(path, lines([log.result('a', 'Exit code 1\n 1 failed', { error: true })]));
  await ingestFile(db, logFile(claudeCode, path), { provider: claudeCode, redact: (said) => said });
  expect(await db.all('SELECT command, status, error, check_failed FROM tools')).toEqual([
    { command: 'npm test', status: 'failed', error: '1 failed', check_failed: 1 },
  ]);
});

test('edits count the lines that the client counted, else those of the call', async () => {
  const log = claude({ id: ID });
  const patch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' a', '-b', '+c', '+d'] }];
  await read(claudeCode, ID, [
    log.prompt('go'),
    log.answer(
      'm1',
      call('a', 'Edit', { file_path: '/srv/app/a.go', old_string: 'b', new_string: 'c', replace_all: true }),
    ),
    log.result('a', 'done', { beside: { filePath: '/srv/app/a.go', structuredPatch: patch } }),
    log.answer('m2', call('b', 'Write', { file_path: '/srv/app/b.go', content: 'one\ntwo\n' })),
    log.result('b', 'done', {
      beside: { type: 'create', filePath: '/srv/app/b.go', content: 'one\ntwo\n', structuredPatch: [] },
    }),
    log.answer(
      'm3',
      call('c', 'Edit', { file_path: '/srv/app/c.go', old_string: 'a\nb\nc', new_string: 'a\nx\ny\nc' }),
    ),
    log.result('c', 'Exit code 1', { error: true }),
  ]);
  expect(
    await db.all(
      'SELECT t.repo_path, t.added, t.removed, c.status FROM touches t JOIN tools c ON c.session = t.session AND c.call = t.event ORDER BY t.path',
    ),
  ).toEqual([
    { repo_path: 'a.go', added: 2, removed: 1, status: 'ok' },
    { repo_path: 'b.go', added: 2, removed: 0, status: 'ok' },
    { repo_path: 'c.go', added: 2, removed: 1, status: 'failed' },
  ]);
});

test('one file in several checkouts has one path', async () => {
  const edit = (path: string) =>
    call(`t${path}`, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' });
  const main = claude({ id: ID, cwd: '/Users/ann/src/cli' });
  await read(claudeCode, ID, [
    main.prompt('go'),
    main.answer('m1', edit('/Users/ann/src/cli/cmd/a.go')),
    main.answer('m2', edit('/Users/ann/src/cli/.worktrees/ann/fix/cmd/a.go')),
    main.answer('m3', edit('/Users/ann/src/cli/.worktrees/two/cmd/a.go')),
    main.answer('m4', edit('/Users/ann/notes.md')),
  ]);
  const inWorktree = claude({ id: OTHER, cwd: '/Users/ann/src/cli/.worktrees/ann/fix' });
  await read(claudeCode, OTHER, [
    inWorktree.prompt('go'),
    inWorktree.answer('m5', edit('/Users/ann/src/cli/.worktrees/ann/fix/cmd/a.go')),
  ]);
  expect(
    await db.all(
      'SELECT repo, repo_path, COUNT(*) AS n FROM touches GROUP BY repo, repo_path ORDER BY repo_path',
    ),
  ).toEqual([
    { repo: 'cli', repo_path: 'cmd/a.go', n: 4 },
    { repo: null, repo_path: '~/notes.md', n: 1 },
  ]);
});

test('checkouts with a date in their name, and repositories with a remote, have one name', async () => {
  const edit = (path: string) =>
    call(`t${path}`, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' });
  const cloned = join(folder, 'second-try');
  writeLog(
    join(cloned, '.git/config'),
    '[core]\n\tbare = false\n[remote "fork"]\n\turl = https://example.org/ann/other\n[remote "origin"]\n\tfetch = x\n\turl = git@example.org:team/cli.git\n',
  );
  const folders = ['/Users/ann/src/cli', '/Users/ann/src/20260205-cli', '/srv/cli-2026-02-05', cloned];
  for (const [n, cwd] of folders.entries()) {
    const id = `${n}${ID.slice(1)}`;
    const log = claude({ id, cwd });
    await read(claudeCode, id, [log.prompt('go'), log.answer(`m${n}`, edit(`${cwd}/cmd/a.go`))]);
  }
  expect(await db.all('SELECT repo, repo_path, COUNT(*) AS n FROM touches GROUP BY repo, repo_path')).toEqual(
    [{ repo: 'cli', repo_path: 'cmd/a.go', n: 4 }],
  );
});

test('a prompt that an editor put a block before is a prompt', async () => {
  const log = claude({ id: ID });
  await read(claudeCode, ID, [
    log.prompt([
      text('<ide_opened_file>The user opened the file a.go in the IDE.</ide_opened_file>'),
      text('create a CODEOWNERS file'),
    ]),
    log.answer('m1', text('done')),
    log.prompt('<system-reminder>be brief</system-reminder>'),
    log.prompt('and now?\n<system-reminder>be brief</system-reminder>'),
    log.answer('m2', text('nothing')),
  ]);
  expect(await db.all('SELECT snippet, last_prompt, turns FROM sessions')).toEqual([
    { snippet: 'create a CODEOWNERS file', last_prompt: 'and now?', turns: 2 },
  ]);
  expect(await db.all('SELECT idx, turn FROM events WHERE type = 0')).toEqual([
    { idx: 0, turn: 0 },
    { idx: 4, turn: 1 },
  ]);
});

test('a command for the agent is a message only if the model answers', async () => {
  const log = claude({ id: ID });
  const command = (name: string) =>
    log.prompt(`<command-name>/${name}</command-name>\n<command-args></command-args>`);
  const path = await read(claudeCode, ID, [
    log.prompt('go'),
    log.answer('m1', text('done')),
    command('exit'),
    log.prompt('<local-command-stdout>Bye!</local-command-stdout>'),
    command('review'),
  ]);
  const users = () => db.all('SELECT idx FROM events WHERE type = 0');
  expect(await users()).toEqual([{ idx: 0 }]);
  appendFileSync(path, lines([log.answer('m2', text('looks fine'))]));
  await ingestFile(db, logFile(claudeCode, path), { provider: claudeCode, redact: (said) => said });
  expect(await users()).toEqual([{ idx: 0 }, { idx: 4 }]);
  expect(await db.all('SELECT prompt FROM turns')).toEqual([{ prompt: 'go' }, { prompt: '/review' }]);
});

test('the editor context of Codex is not part of the prompt', async () => {
  await read(codexProvider, ID, [
    codex.meta(ID),
    codex.event({
      type: 'user_message',
      message: '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nfix it\n',
    }),
  ]);
  expect(await db.all('SELECT snippet FROM sessions')).toEqual([{ snippet: 'fix it\n' }]);
});

test('a pipe that fails is not the check in front of it', async () => {
  const log = claude({ id: ID });
  const run = (id: string, command: string, output: string) => [
    log.answer(`m${id}`, call(id, 'Bash', { command })),
    log.result(id, output, { error: true }),
  ];
  await read(claudeCode, ID, [
    log.prompt('go'),
    ...run(
      'a',
      "go test ./... 2>&1 | grep -E '--- FAIL'",
      "Exit code 2\ngrep: unrecognized option '--- FAIL'",
    ),
    ...run('b', 'go test ./... 2>&1 | grep FAIL', 'Exit code 1'),
    ...run(
      'c',
      'go test ./... 2>&1 | grep FAIL | head -x',
      "Exit code 1\nFAIL\tpkg\t0.1s\nhead: invalid option -- 'x'",
    ),
    ...run('d', 'go test ./... || exit 1', 'Exit code 1'),
  ]);
  expect(await db.all('SELECT check_failed FROM tools ORDER BY call')).toEqual(
    [null, null, 1, 1].map((check_failed) => ({ check_failed })),
  );
  expect(await db.all('SELECT program, status FROM commands WHERE call < 4 ORDER BY call, idx')).toEqual([
    { program: 'go test', status: null },
    { program: 'grep', status: 'failed' },
    { program: 'go test', status: null },
    { program: 'grep', status: 'failed' },
  ]);
});

test('the time of a command counts from when it began to run, and a time-out has a class', async () => {
  const log = claude({ id: ID });
  const bash = (id: string, command: string) => log.answer(`m${id}`, call(id, 'Bash', { command }));
  const records = [log.prompt('go'), bash('a', 'make')];
  tick(400);
  const running = { data: { type: 'bash_progress', elapsedTimeSeconds: 2 }, parentToolUseID: 'a' };
  await read(claudeCode, ID, [
    ...records,
    log.record('progress', running),
    log.record('progress', { ...running, data: { ...running.data, elapsedTimeSeconds: 3 } }),
    log.result('a', 'made'),
    bash('b', 'sleep 999'),
    log.result('b', 'Exit code 143\nCommand timed out after 2m 0.0s\nstill here', { error: true }),
    bash('c', 'timeout 5 make'),
    log.result('c', 'Exit code 124', { error: true }),
    bash('d', 'curl example.org'),
    log.result('d', 'Exit code 28\ncurl: (28) Connection timed out after 5000 ms', { error: true }),
  ]);
  expect(
    await db.all('SELECT ended_ms - started_ms AS waited, duration_ms, error_class FROM tools ORDER BY call'),
  ).toEqual([
    { waited: 403_000, duration_ms: 4_000, error_class: null },
    { waited: 1_000, duration_ms: null, error_class: 'timed out' },
    { waited: 1_000, duration_ms: null, error_class: 'timed out' },
    { waited: 1_000, duration_ms: null, error_class: 'curl: (N) Connection timed out after TIME' },
  ]);
});

test('of a chain of checks, the one that failed is counted', async () => {
  const log = claude({ id: ID });
  const passed = '> app@1.0.0 test\n> vitest run\n\n Tests  3 passed (3)\n\n> app@1.0.0 lint\n> eslint .\n';
  const problem =
    '\n/srv/app/a.ts\n  3:5  error  x is not used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)';
  await read(claudeCode, ID, [
    log.prompt('go'),
    log.answer('m1', call('a', 'Bash', { command: 'npm test && npm run lint' })),
    log.result('a', `Exit code 1\n${passed}${problem}`, { error: true }),
    log.answer('m2', call('b', 'Bash', { command: 'npm test && npm run lint' })),
    log.result('b', passed),
  ]);
  expect(await db.all('SELECT check_kind, check_failed FROM tools ORDER BY call')).toEqual([
    { check_kind: 'lint', check_failed: 1 },
    { check_kind: 'test', check_failed: 0 },
  ]);
  expect(await db.all('SELECT program, status FROM commands ORDER BY call, idx')).toEqual([
    { program: 'npm test', status: 'ok' },
    { program: 'npm run lint', status: 'failed' },
    { program: 'npm test', status: 'ok' },
    { program: 'npm run lint', status: 'ok' },
  ]);
  expect(await db.all('SELECT outcome FROM turns')).toEqual([{ outcome: 'success' }]);
});

test('a check whose output was filtered has passed only if it says so', async () => {
  const log = claude({ id: ID });
  const run = (id: string, command: string, output: string) => [
    log.answer(`m${id}`, call(id, 'Bash', { command })),
    log.result(id, output),
  ];
  await read(claudeCode, ID, [
    log.prompt('go'),
    ...run('a', 'npm test 2>&1 | tail -3', '   Start at  10:00:00\n   Duration  3.20s'),
    ...run('b', 'npm test | grep -c FAIL', '0'),
    ...run('c', 'npm test 2>&1 | tail -5', ' Tests  3 passed (3)\n   Duration  3.20s'),
    ...run('d', 'npx tsc --noEmit 2>&1 | head -20', ''),
    ...run('e', 'npm test > out.txt 2>&1; echo done', 'done'),
    ...run('f', 'npm test; echo done', 'whatever\ndone'),
    ...run('g', 'npx eslint . > out.txt; true', ''),
  ]);
  expect(await db.all('SELECT check_failed FROM tools ORDER BY call')).toEqual(
    [null, null, 0, 0, null, 0, null].map((check_failed) => ({ check_failed })),
  );
});
