import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const deepList = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const deepBlocks = (depth: number) =>
  `${'[{"type":"tool_result","tool_use_id":"x","content":'.repeat(depth)}"end"${'}]'.repeat(depth)}`;

async function desk() {
  const opened = await openDesk();
  onTestFinished(() => opened.close());
  return opened;
}

for (const depth of [1_000, 10_000, 100_000]) {
  test.each([
    ['an unknown record', (value: string) => `{"type":"new","sessionId":"${ID}","x":${value}}`],
    [
      'the input of a call',
      (value: string) =>
        JSON.stringify(
          claude({ id: ID }).answer('msg_9', call('deep', 'Bash', { command: 'ls', x: 'DEEP' })),
        ).replace('"DEEP"', value),
    ],
    [
      'the result of a call',
      (value: string) =>
        JSON.stringify(claude({ id: ID }).result('t', [{ type: 'text', text: 'DEEP' }])).replace(
          '"DEEP"',
          value,
        ),
    ],
  ])(`a record nested ${depth} deep costs that record only: %s`, async (_where, record) => {
    const { folders, sessions, ask } = await desk();
    const log = claude({ id: ID });
    for (const value of [deep(depth), deepList(depth), deepBlocks(depth)]) {
      writeLog(
        join(folders.claude, 'p', `${ID}.jsonl`),
        `${lines([log.prompt('before the needle')])}${record(value)}\n${lines([log.answer('msg_2', text('after the needle'))])}`,
      );
      await sessions.reading.refresh();
      const found = await ask('search_event_previews', { query: 'needle' });
      expect(found.data.matches).toHaveLength(2);
      for (let event_index = 0; event_index < 3; event_index++)
        for (const raw of [false, true])
          expect(
            (await ask('get_event_details', { session_id: ID, event_index, raw })).error,
          ).toBeUndefined();
      for (const operation of ['get_session_turns', 'get_session_summary', 'get_session_full'])
        expect((await ask(operation, { session_id: ID })).error).toBeUndefined();
    }
  });
}

test('a record of 2 GB costs that record only, and little memory', { timeout: 300_000 }, async () => {
  const { folders, sessions, ask } = await desk();
  const log = claude({ id: ID });
  const head = lines([log.prompt('before the needle')]);
  const path = writeLog(join(folders.claude, 'p', `${ID}.jsonl`), head);
  const size = Number(process.env.PINHOLE_RECORD_BYTES ?? 2 * 2 ** 30);
  // A hole in the file: zeros, as a crash leaves them, but between quotes.
  const file = openSync(path, 'r+');
  writeSync(file, `{"type":"user","x":"`, head.length);
  ftruncateSync(file, head.length + size);
  writeSync(file, `"}\n${lines([log.answer('msg_2', text('after the needle'))])}`, head.length + size);
  closeSync(file);
  const before = process.memoryUsage().rss;
  await sessions.reading.refresh();
  const found = await ask('search_event_previews', { query: 'needle' });
  expect(found.data.matches).toHaveLength(2);
  for (const raw of [false, true]) {
    const { data } = await ask('get_event_details', { session_id: ID, event_index: 1, raw });
    expect(data.record).toBe('bad line');
    expect(data.text).toContain(
      `Pinhole reads records of up to 64 MB; this is the beginning.]\n{"type":"user"`,
    );
  }
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(700);
});
