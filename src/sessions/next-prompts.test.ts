import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTables } from '../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, codex, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-1111-4111-8111-111111111111';
const C = 'cccccccc-1111-4111-8111-111111111111';
const STOPPED = '[Request interrupted by user]';
const NO =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit).";

const desk = await openDesk();
const log = claude({ id: A });
const write = (id: string) => call(id, 'Write', { file_path: '/srv/app/a.ts', content: 'a' });
writeLog(
  join(desk.folders.claude, 'p', `${A}.jsonl`),
  lines([
    log.prompt('<command-name>/debug</command-name>\n<command-args>it</command-args>'),
    log.prompt(STOPPED),
    log.prompt('make it fast'),
    log.answer('m1', write('a')),
    log.result('a', NO, { error: true }),
    log.prompt('[Request interrupted by user for tool use]'),
    log.prompt(`measure first ${'x'.repeat(600)}`),
    log.answer('m2', write('b')),
    log.result('b', `${NO} To tell you how to proceed, the user said:\nnot there`, { error: true }),
    log.answer('m3', write('c')),
    log.result('c', NO, { error: true }),
  ]),
);
const other = claude({ id: B });
writeLog(
  join(desk.folders.claude, 'p', `${B}.jsonl`),
  lines([other.prompt(STOPPED), other.prompt('hello'), other.answer('m4', text('hi'))]),
);
writeLog(
  join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${C}.jsonl`),
  lines([
    codex.meta(C),
    codex.user('list it'),
    codex.said('I will.'),
    codex.event({ type: 'turn_aborted', reason: 'interrupted' }),
  ]),
);
await desk.sessions.reading.refresh();
const never = new AbortController().signal;
const { file } = await desk.sessions.database(never);
const { ask, close } = openTables(file ?? '');
afterAll(async () => {
  close();
  await desk.close();
});

test('a rejection without words has the prompt that followed', async () => {
  const rejected = ask("SELECT event, error FROM calls WHERE status = 'rejected' ORDER BY event");
  expect(rejected).toEqual([
    { event: 3, error: expect.stringMatching(/^next prompt: measure first x{50,}/) },
    { event: 7, error: 'not there' },
    { event: 9, error: null },
  ]);
  expect(String(rejected[0]?.error)).toHaveLength(300);
  const { rejected: found } = await desk.sessions.analysis.across({}, never);
  expect(found.map(({ words, next }) => [words, next?.slice(0, 13)])).toEqual([
    [undefined, undefined],
    ['not there', undefined],
    [undefined, 'measure first'],
  ]);
});

test('turns have the prompt that followed, so do interruptions and findings', async () => {
  expect(
    ask(
      "SELECT session, turn, prompt, outcome, substr(next_prompt, 1, 13) AS next FROM turns WHERE outcome = 'interrupted' ORDER BY session, turn",
    ),
  ).toEqual([
    { session: 'aaaaaaaa', turn: 0, prompt: '/debug it', outcome: 'interrupted', next: 'make it fast' },
    { session: 'aaaaaaaa', turn: 1, prompt: 'make it fast', outcome: 'interrupted', next: 'measure first' },
    { session: 'cccccccc', turn: 0, prompt: 'list it', outcome: 'interrupted', next: null },
  ]);
  const { interruptions } = await desk.sessions.analysis.across({}, never);
  expect(interruptions.map(({ next }) => next?.slice(0, 13))).toEqual([
    undefined,
    'measure first',
    'make it fast',
  ]);
  expect(
    ask(
      "SELECT event, message FROM findings WHERE session = 'aaaaaaaa' AND kind = 'interruptions' ORDER BY event",
    ),
  ).toEqual([{ event: 1, message: 'the turn was interrupted; next prompt: make it fast' }]);
  expect(ask("SELECT message FROM findings WHERE kind = 'rejected' ORDER BY event")).toEqual([
    { message: expect.stringMatching(/^write a\.ts; next prompt: measure first x+…$/) },
    { message: 'write a.ts: not there' },
    { message: 'write a.ts' },
  ]);
});

test('an interruption before the first turn counts', () => {
  expect(ask('SELECT id, interrupted, turns FROM sessions ORDER BY id')).toEqual([
    { id: 'aaaaaaaa', interrupted: 2, turns: 3 },
    { id: 'bbbbbbbb', interrupted: 1, turns: 1 },
    { id: 'cccccccc', interrupted: 1, turns: 1 },
  ]);
});

test('interruptions are events of their own type', async () => {
  const { data } = await desk.ask('search_event_previews', { query: 'interrupted', event_type: 'interrupt' });
  expect(
    data.matches.map((match: { session_id: string; event_index: number }) => [
      match.session_id,
      match.event_index,
    ]),
  ).toEqual([
    ['cccccccc', 3],
    ['bbbbbbbb', 0],
    ['aaaaaaaa', 5],
    ['aaaaaaaa', 1],
  ]);
});
