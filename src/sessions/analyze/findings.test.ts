import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, tick, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const desk = await openDesk();
afterAll(() => desk.close());

interface Made {
  readonly name: string;
  readonly input: unknown;
  readonly failed?: boolean;
  /** How long the answer took. */
  readonly seconds?: number;
}

let sessions = 0;

/** The lenses that find something in a turn of these calls. */
async function found(made: readonly Made[], cacheRead = 1000): Promise<readonly string[]> {
  const id = `${String(++sessions).padStart(8, '0')}-1111-4111-8111-111111111111`;
  const log = claude({ id });
  const records = made.flatMap(({ name, input, failed, seconds }, at) => {
    const question = log.answer(`msg_${id}_${at}`, call(`t${at}`, name, input), { cacheRead });
    if (seconds !== undefined) tick(seconds);
    return [question, log.result(`t${at}`, failed ? 'Exit code 1\nno' : 'ok', { error: failed === true })];
  });
  writeLog(join(desk.folders.claude, '-srv-app', `${id}.jsonl`), lines([log.prompt('go'), ...records]));
  await desk.sessions.reading.refresh();
  const { data } = await desk.ask('analyze_session', { session_id: id });
  return data.insights.map((insight: { lens: string; message: string }) => insight.lens).sort();
}

const npmTest = (failed: boolean, description = 'Run the tests'): Made => ({
  name: 'Bash',
  input: { command: 'npm test', description },
  failed,
});
const edit = (to: string, failed = false): Made => ({
  name: 'Edit',
  input: { file_path: '/srv/app/a.ts', old_string: 'a', new_string: to },
  failed,
});
const read: Made = { name: 'Read', input: { file_path: '/srv/app/a.ts' } };

test('testing, fixing and testing again is no retry', async () => {
  expect(await found([npmTest(true), edit('b'), npmTest(true), edit('c'), npmTest(false)])).toEqual([
    'checks',
  ]);
});

test('the same command again, with nothing done in between but looking, is one', async () => {
  expect(await found([npmTest(true), read, npmTest(true)])).toEqual(['checks', 'retries']);
  const look: Made = { name: 'Bash', input: { command: 'cat log.txt' } };
  expect(await found([npmTest(true), look, npmTest(true)])).toEqual(['checks', 'retries']);
  expect(await found([npmTest(true), npmTest(false)])).toEqual(['checks', 'retries']);
});

test('an edit that fails until its file is read is no retry; one that is only repeated is', async () => {
  expect(await found([edit('b', true), read, edit('b')])).toEqual(['failures']);
  expect(await found([edit('b', true), edit('b', true)])).toEqual(['failures', 'retries']);
});

test('a command is the same whatever is said about it', async () => {
  const again = ['Run tests', 'Run tests again', 'Check the tests'].map((words) => npmTest(false, words));
  expect(await found(again)).toEqual(['loops']);
  expect(await found([npmTest(true, 'Try'), npmTest(true, 'Try once more')])).toEqual(['checks', 'retries']);
});

test('a command that fails again and again is a loop, whatever is done in between', async () => {
  const script = (failed: boolean): Made => ({ name: 'Bash', input: { command: './sync.sh --all' }, failed });
  const edits = ['b', 'c', 'd'].map((to) => edit(to));
  expect(await found(edits.flatMap((one) => [script(true), one]))).toEqual(['failures', 'loops']);
  expect(await found(edits.flatMap((one) => [npmTest(true), one]))).toEqual(['checks', 'loops']);
  const often = ['b', 'c', 'd', 'e', 'f', 'g'].map((to) => edit(to, true));
  expect(await found(often.flatMap((one) => [script(false), one]))).toContain('loops');
  expect(await found(often.flatMap((one) => [npmTest(false), one]))).not.toContain('loops');
});

test('a cycle of calls is a loop; the same tools for other things are not', async () => {
  const cycle = [read, npmTest(false)];
  expect(await found([...cycle, ...cycle, ...cycle])).toEqual(['loops']);
  expect(await found([...cycle, ...cycle])).toEqual([]);
  const reads = ['a', 'b', 'c', 'd'].map((name) => ({ name: 'Read', input: { file_path: `/srv/${name}` } }));
  expect(await found(reads)).toEqual([]);
});

test('waiting for something that runs on is no loop', async () => {
  const poll: Made = { name: 'BashOutput', input: { bash_id: 'b1' } };
  expect(await found([poll, poll, poll, poll])).toEqual([]);
  const sleep: Made = { name: 'Bash', input: { command: 'sleep 20' } };
  expect(await found([sleep, sleep, sleep])).toEqual([]);
});

test('time that a person took to allow an edit is no bottleneck; a slow command is', async () => {
  expect(await found([{ ...edit('b'), seconds: 360 }])).toEqual([]);
  expect(await found([{ name: 'AskUserQuestion', input: { question: 'which?' }, seconds: 360 }])).toEqual([]);
  expect(await found([{ ...npmTest(false), seconds: 90 }])).toEqual(['bottleneck']);
});

test('a context that is nearly full is told, also where the log does not say how large it is', async () => {
  expect(await found([read], 190_000)).toEqual(['token_usage']);
  expect(await found([read], 120_000)).toEqual([]);
  expect(await found([read], 300_000)).toEqual([]);
});
