import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const desk = await openDesk();
afterAll(() => desk.close());

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-1111-4111-8111-111111111111';
const NO_FILE = (path: string) => `Exit code 1\nError: Cannot find module '${path}'`;
const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …). To tell you how to proceed, the user said:\nuse the other file";

const first = claude({ id: A, cwd: '/srv/one' });
writeLog(
  join(desk.folders.claude, '-srv-one', `${A}.jsonl`),
  lines([
    first.prompt('make it pass'),
    ...[1, 2, 3].flatMap((n) => [
      first.answer(`m${n}`, call(`t${n}`, 'Bash', { command: 'mise run test 2>&1 | tail -5' })),
      first.result(`t${n}`, `--- FAIL: TestX (0.0${n}s)`),
      first.answer(
        `e${n}`,
        call(`u${n}`, 'Edit', { file_path: '/srv/one/x.go', old_string: `${n}`, new_string: '' }),
      ),
      first.result(`u${n}`, 'done'),
    ]),
    first.answer('m4', call('t4', 'Bash', { command: 'node a.js' })),
    first.result('t4', NO_FILE('/srv/one/b.js'), { error: true }),
    first.prompt('[Request interrupted by user]'),
  ]),
);
const second = claude({ id: B, cwd: '/srv/two' });
writeLog(
  join(desk.folders.claude, '-srv-two', `${B}.jsonl`),
  lines([
    second.prompt('look'),
    second.answer(
      'n1',
      call('v1', 'Task', { description: 'Find it', subagent_type: 'Explore', prompt: 'dig' }),
    ),
    second.result('v1', 'found', { beside: { totalDurationMs: 4200 } }),
    second.answer('n2', call('v2', 'Write', { file_path: '/srv/two/y.go', content: 'a' })),
    second.result('v2', REFUSED, { error: true }),
    second.answer('n3', call('v3', 'Bash', { command: 'node c.js' })),
    second.result('v3', NO_FILE('/srv/two/d.js'), { error: true }),
    second.answer('n4', text('no')),
  ]),
);
await desk.sessions.reading.refresh();
const never = new AbortController().signal;

test('what went wrong in all sessions is grouped', async () => {
  const found = await desk.sessions.analysis.across({}, never);
  expect(found.sessions).toBe(2);
  expect(found.checks).toMatchObject([
    { check: 'test', command: 'mise run test', runs: 3, failed: 3, hidden: 3, sessions: ['aaaaaaaa'] },
  ]);
  expect(found.rejected).toMatchObject([
    { session: 'bbbbbbbb', turn: 0, tool: 'Write', target: '/srv/two/y.go', words: 'use the other file' },
  ]);
  expect(found.loops).toMatchObject([
    { session: 'aaaaaaaa', severity: 'warning', message: 'mise run test: failed 3 times in a row' },
  ]);
  expect(found.errors).toMatchObject([
    {
      errorClass: 'Error: Cannot find module "…"',
      times: 2,
      tools: ['Bash'],
      sessions: ['aaaaaaaa', 'bbbbbbbb'],
      last: { session: 'bbbbbbbb' },
    },
    { errorClass: 'go test: FAIL', times: 3, sessions: ['aaaaaaaa'] },
  ]);
  expect(found.subagents).toMatchObject([
    { session: 'bbbbbbbb', description: 'Find it', type: 'Explore', status: 'ok', took: 4200 },
  ]);
  expect(found.interruptions).toMatchObject([{ session: 'aaaaaaaa', turn: 0, prompt: 'make it pass' }]);
});

test('filters narrow it down', async () => {
  const found = await desk.sessions.analysis.across(
    { project: '/srv/two', kinds: ['checks', 'errors'] },
    never,
  );
  expect(found).toMatchObject({ sessions: 1, checks: [], rejected: [], subagents: [] });
  expect(found.errors).toMatchObject([{ times: 1, sessions: ['bbbbbbbb'] }]);
});

test('a call that started a subagent is known although the subagent has no log', async () => {
  const session = await desk.sessions.list.find(B);
  expect(await desk.sessions.list.agentRuns(session)).toMatchObject([
    {
      event: 1,
      turn: 0,
      description: 'Find it',
      type: 'Explore',
      status: 'ok',
      ms: 4200,
      session: undefined,
    },
  ]);
});
