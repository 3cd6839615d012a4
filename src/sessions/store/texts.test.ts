import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';

let desk: Desk;
afterEach(() => desk.close());

test('a text of many pieces is put together as it was, and its step tells how much is missing', async () => {
  desk = await openDesk();
  const log = claude({ id: ID });
  const long = Array.from({ length: 400_000 }, (_, line) => `line ${line}`).join('\n');
  writeLog(
    join(desk.folders.claude, '-srv-app', `${ID}.jsonl`),
    lines([
      log.prompt('read it'),
      log.answer('msg_0000000000000001', call('t1', 'Bash', { command: 'cat it' })),
      log.result('t1', long),
    ]),
  );
  await desk.sessions.reading.refresh();
  const { steps } = (await desk.ask('get_turn_steps', { session_id: ID, turn_index: 0 })).data;
  expect(steps[0].tools[0].result).toBe(`${long.slice(0, 500)}…[+${long.length - 500} bytes]`);
  const session = await desk.sessions.list.find(ID);
  expect((await desk.sessions.events.texts(session, 2, 2)).get(2) === long).toBe(true);
});
