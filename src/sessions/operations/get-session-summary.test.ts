import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, resetClock, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const ID = 'dddddddd-8888-4888-8888-888888888888';
const desk = await openDesk();
resetClock();
afterAll(() => desk.close());

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nnot that file";

const log = claude({ id: ID });
const edit = (name: string) => ({ file_path: `/srv/app/${name}.ts`, old_string: 'a', new_string: 'b' });
writeLog(
  join(desk.folders.claude, 'p', `${ID}.jsonl`),
  lines([
    log.prompt('edit them all'),
    ...Array.from({ length: 12 }, (_, n) => [
      log.answer(`m${n}`, call(`c${n}`, 'Edit', edit(`f${String(n).padStart(2, '0')}`))),
      log.result(`c${n}`, 'edited'),
    ]).flat(),
    log.answer('m12', call('c12', 'Edit', edit('never'))),
    log.result('c12', REJECTED, { error: true }),
    log.answer(
      'm13',
      call('c13', 'Task', { description: 'look around', subagent_type: 'Explore', prompt: 'look' }),
    ),
    log.result('c13', 'nothing there'),
    log.prompt('thanks'),
    log.answer('m14', text('Welcome.')),
  ]),
);
await desk.sessions.reading.refresh();

test('lists that are cut say so, rejected edits are not edits, subagents without a log are named', async () => {
  const { data } = await desk.ask('get_session_summary', { session_id: ID });
  expect(data.files).toHaveLength(10);
  expect(data.files[0]).toEqual({ path: 'f00.ts', reads: 0, edits: 1 });
  expect(data.more_files).toBe(2);
  expect(data.stats).toMatchObject({ tool_calls: 14, failures: 0, rejected: 1 });
  expect(data.agent_calls).toEqual([
    {
      event_index: 27,
      turn_index: 0,
      name: 'Explore',
      task: 'look around',
      status: 'ok',
      duration_seconds: 1,
    },
  ]);
  expect(data.last_prompt).toBe('thanks');
});

test('the text is short', async () => {
  const shown = (await desk.text('get_session_summary', { session_id: ID })).split('\n');
  expect(shown.slice(0, 8)).toEqual([
    'dddddddd  claude_code 2.1.197  claude-opus-4-5',
    expect.stringMatching(/^03-01 10:00 to 10:00 {2}30s {2}2 turns {2}14 calls \(1 rejected\)$/),
    expect.stringMatching(/^tokens 16.9k: in 1.65k, cached 15.0k, out 300 {2}about \$0.03$/),
    'project /srv/app (main)',
    'first "edit them all"',
    'last asked "thanks"',
    'last said "Welcome."',
    '  f00.ts  1 edit',
  ]);
  expect(shown).toContain('  and 2 more files');
  expect(shown).toContain('  subagent without a log e27 t0 Explore "look around" 1s');
});
