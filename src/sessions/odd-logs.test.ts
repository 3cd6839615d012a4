import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../test/fixtures/sessions/harness.ts';
import { claude, codex, gemini, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';

const desk = await openDesk();
afterAll(() => desk.close());

const id = (number: number) => `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111`;
const claudeLog = (session: string) => join(desk.folders.claude, '-srv-app', `${session}.jsonl`);

function talk(session: string): readonly Readonly<Record<string, unknown>>[] {
  const log = claude({ id: session });
  return [log.prompt('a question'), log.answer(`msg_${session}`, text('an answer'))];
}

async function summary(session: string) {
  return (await desk.ask('get_session_summary', { session_id: session })).data;
}

test.each([
  ['a byte order mark', 1, (log: string) => `\uFEFF${log}`],
  ['zero bytes of a crash', 2, (log: string) => `${'\0'.repeat(4096)}${log}`],
  ['line ends of Windows', 3, (log: string) => log.replaceAll('\n', '\r\n')],
])('%s costs nothing', async (_, number, damage) => {
  const log = claudeLog(id(number));
  writeLog(log, damage(lines(talk(id(number)))));
  await desk.sessions.reading.refresh();
  const { first_prompt, bad_lines, stats } = await summary(id(number));
  expect({ first_prompt, bad_lines }).toEqual({ first_prompt: 'a question', bad_lines: undefined });
  expect(stats).toMatchObject({ total_turns: 1, total_events: 2 });
  expect((await desk.ask('get_event_details', { session_id: log, event_index: 0 })).data.text).toBe(
    'a question',
  );
});

test('a chat in one document may begin with a byte order mark', async () => {
  const chat = { ...gemini.header(id(4)), messages: [gemini.user('u', 'hello'), gemini.answer('m')] };
  writeLog(
    join(desk.folders.gemini, 'app/chats/session-2026-03-01T10-00-00000004.json'),
    `\uFEFF${JSON.stringify(chat, undefined, 2)}`,
  );
  await desk.sessions.reading.refresh();
  expect(await summary(id(4))).toMatchObject({ session_id: id(4), first_prompt: 'hello' });
});

test.each([
  ['a clock that ran ahead and was set', 5, ['2026-03-01T10:00:00Z', '2051-01-01T00:00:00Z'], 70],
  ['a clock that was not set yet', 6, ['1970-01-01T00:05:00Z', '2026-03-01T10:00:30Z'], 40],
  ['milliseconds and seconds', 7, [1_772_359_200_000, 1_772_359_230.5], 70],
  ['no times at all', 8, [{ at: 1 }, 1e300], 0],
])('%s', async (_, number, times, seconds) => {
  const records = talk(id(number)).map((record, index) => ({ ...record, timestamp: times[index] }));
  const later = claude({ id: id(number) }).prompt('more', { timestamp: '2026-03-01T10:01:10Z' });
  writeLog(claudeLog(id(number)), lines(seconds === 0 ? records : [...records, later]));
  await desk.sessions.reading.refresh();
  const { stats, start_time } = await summary(id(number));
  expect(stats.duration_seconds).toBe(seconds);
  expect(start_time).toBe(
    seconds === 0 ? 'unknown' : seconds === 40 ? '2026-03-01T10:00:30Z' : '2026-03-01T10:00:00Z',
  );
  const { turns } = (await desk.ask('get_session_turns', { session_id: id(number) })).data;
  for (const turn of turns) expect(turn.duration_seconds).toBeLessThanOrEqual(70);
});

test('logs that only their files name are sessions of their own, however they are called', async () => {
  const [, ...nameless] = [codex.meta('x'), codex.user('codex'), codex.said('yes')];
  writeLog(join(desk.folders.codex, 'a/drift.jsonl'), lines(nameless));
  writeLog(join(desk.folders.codex, 'b/drift.jsonl'), lines(nameless));
  writeLog(
    join(desk.folders.gemini, 'app/chats/drift.json'),
    JSON.stringify({ messages: [gemini.user('u9', 'gemini')] }),
  );
  await desk.sessions.reading.refresh();
  const { sessions } = (await desk.ask('list_sessions', { limit: 50, fields: ['snippet'] })).data;
  const drifting = sessions.filter((session: { id: string }) => session.id.startsWith('drift'));
  expect(drifting.map((session: { snippet: string }) => session.snippet).sort()).toEqual([
    'codex',
    'codex',
    'gemini',
  ]);
});

test('a folder of logs that is a link is watched like any other', async () => {
  const home = join(desk.home, 'linked');
  const real = join(home, 'elsewhere/-srv-app');
  mkdirSync(real, { recursive: true });
  const linked = join(home, 'projects');
  symlinkSync(join(home, 'elsewhere'), linked);
  const other = await openDesk({ home, folders: [{ provider: 'claude_code', path: linked }], watch: true });
  try {
    const told = new Promise<void>((resolve) => other.sessions.reading.onChange(() => resolve()));
    const log = writeLog(join(real, `${id(9)}.jsonl`), lines(talk(id(9))));
    await told;
    const { data } = await other.ask('get_session_summary', {
      session_id: log.replace('elsewhere', 'projects'),
    });
    expect(data.session_id).toBe(id(9));
  } finally {
    await other.close(true);
  }
});
