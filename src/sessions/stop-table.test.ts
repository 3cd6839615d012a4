import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTables } from '../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, codex, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';

const id = (letter: string) => `${letter.repeat(8)}-1111-4111-8111-111111111111`;
const STOPPED = '[Request interrupted by user]';
const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

const desk = await openDesk();
const write = (letter: string, records: (log: ReturnType<typeof claude>) => readonly unknown[]) =>
  writeLog(join(desk.folders.claude, 'p', `${id(letter)}.jsonl`), lines(records(claude({ id: id(letter) }))));
write('a', (log) => [
  log.prompt(STOPPED),
  log.prompt('make it fast'),
  log.answer('m1', call('a', 'Bash', { command: 'rm -r build' })),
  log.result('a', NO, { error: true }),
  log.prompt('[Request interrupted by user for tool use]'),
  log.prompt('measure first'),
  log.answer('m2', call('b', 'Edit', { file_path: '/srv/app/a.ts', old_string: 'a', new_string: 'b' })),
  log.result('b', `${NO} To tell you how to proceed, the user said:\nnot there`, { error: true }),
  log.answer('m3', call('c', 'Bash', { command: 'sleep 99' })),
  log.result('c', STOPPED, { error: true }),
  log.prompt(STOPPED),
  log.prompt('stop waiting'),
  log.answer('m4', text('I stopped.')),
  log.prompt(STOPPED),
]);
writeLog(
  join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id('c')}.jsonl`),
  lines([
    codex.meta(id('c')),
    codex.user('list it'),
    codex.said('I will.'),
    codex.event({ type: 'turn_aborted', reason: 'interrupted' }),
    codex.userItem('<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>'),
  ]),
);
write('d', (log) => [
  log.prompt('go'),
  log.answer('m5', text('Looking.')),
  log.answer('m5', call('d', 'Task', { description: 'Look', prompt: 'look' })),
  log.record('progress', { data: { type: 'agent_progress' }, parentToolUseID: 'd' }),
]);
write('e', (log) => [
  log.prompt('go'),
  log.answer('m6', call('e', 'Bash', { command: 'ls' })),
  log.result('e', ''),
]);
write('f', (log) => [log.prompt('go'), log.answer('m7', text('Done.'))]);
write('9', (log) => [
  log.prompt('go'),
  log.answer('m8', text('I begin.')),
  { ...log.answer('m9', text('API Error: 529 overloaded')), isApiErrorMessage: true },
]);
write('8', (log) => [log.prompt('go')]);
write('7', (log) => [
  log.prompt('go'),
  log.answer('m10', call('f', 'Bash', { command: 'rm -r /' })),
  log.result('f', NO, { error: true }),
]);
await desk.sessions.reading.refresh();
const { file } = await desk.sessions.database(new AbortController().signal, ['findings']);
const { ask, close } = openTables(file ?? '');
afterAll(async () => {
  close();
  await desk.close();
});

test('what a person rejected or interrupted is a row each, with what they said', () => {
  expect(
    ask(
      "SELECT session, turn, event, kind, call, stopped, said FROM stops WHERE session IN ('aaaaaaaa', 'cccccccc') ORDER BY session, event",
    ),
  ).toEqual(
    [
      ['aaaaaaaa', -1, 0, 'interrupted', null, 'before any call', 'make it fast'],
      ['aaaaaaaa', 0, 3, 'rejected', 2, 'Bash rm -r build', 'measure first'],
      ['aaaaaaaa', 1, 7, 'rejected', 6, 'Edit /srv/app/a.ts', 'not there'],
      ['aaaaaaaa', 1, 10, 'interrupted', 8, 'Bash sleep 99', 'stop waiting'],
      ['aaaaaaaa', 2, 13, 'interrupted', null, 'before any call', null],
      ['cccccccc', 0, 3, 'interrupted', null, 'before any call', null],
    ].map(([session, turn, event, kind, call, stopped, said]) => ({
      ...{ session, turn, event, kind, call, stopped, said },
    })),
  );
});

test('a finding names the interruption itself, and no rejection twice', () => {
  expect(
    ask(
      "SELECT turn, event FROM findings WHERE session = 'aaaaaaaa' AND kind = 'interruptions' ORDER BY event",
    ),
  ).toEqual([
    { turn: 0, event: 0 },
    { turn: 1, event: 10 },
    { turn: 2, event: 13 },
  ]);
});

test('a session says how it ended', () => {
  expect(ask('SELECT substr(id, 1, 1) AS id, ending FROM sessions ORDER BY id')).toEqual([
    { id: '7', ending: 'rejected' },
    { id: '8', ending: 'prompt' },
    { id: '9', ending: 'error' },
    { id: 'a', ending: 'interrupted' },
    { id: 'c', ending: 'interrupted' },
    { id: 'd', ending: 'pending call' },
    { id: 'e', ending: 'result' },
    { id: 'f', ending: 'answer' },
  ]);
});
