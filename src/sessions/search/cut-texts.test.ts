import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const desk = await openDesk();
afterAll(() => desk.close());

/** Lines of very different lengths, some with signs of two units, in no order that repeats. */
function longText(size: number, longestLine: number): string {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const words = ['alpha', 'beta', 'gamma', '🌍🌎🌏', 'über', 'x'];
  let text = '';
  while (text.length < size) {
    const end = text.length + next(longestLine);
    let line = '';
    while (text.length + line.length < end) line += `${words[next(words.length)]}${next(1000)} `;
    text += `${line}\n`;
  }
  return text;
}

async function sessionOf(id: string, output: string) {
  const log = claude({ id });
  writeLog(
    join(desk.folders.claude, '-srv-app', `${id}.jsonl`),
    lines([
      log.prompt('go'),
      log.answer(`msg_${id}`, call(`t-${id}`, 'Bash', { command: 'x' })),
      log.result(`t-${id}`, output),
    ]),
  );
  await desk.sessions.reading.refresh();
  return desk.sessions.list.find(id);
}

const matches = async (id: string, query: string) =>
  (await desk.ask('search_event_previews', { query, regex: true, session_id: id })).data.matches.length;

test.each([
  ['short lines', 300],
  ['lines of some thousand characters', 9_000],
  ['lines longer than any piece', 90_000],
])('a long text of %s is put together again as it was', async (_name, longest) => {
  const text = longText(200_000, longest);
  const session = await sessionOf(`${String(longest).padStart(8, '0')}-1111-4111-8111-111111111111`, text);
  expect((await desk.sessions.events.texts(session, 2, 2)).get(2) === text).toBe(true);
});

test('a line is found as a whole wherever a long text is cut', async () => {
  const id = 'eeeeeeee-1111-4111-8111-111111111111';
  const parts = Array.from({ length: 60 }, (_, n) => `left${n}L${'-'.repeat(1_500)}right${n}R`);
  await sessionOf(id, parts.join('\n'));
  for (let n = 0; n < parts.length; n++) {
    expect(await matches(id, `left${n}L-+right${n}R`)).toBe(1);
    expect(await matches(id, `^left${n}L.*R$`)).toBe(1);
  }
  expect(await matches(id, '^-')).toBe(0);
  expect(await matches(id, '-$')).toBe(0);
});

test('where a line is longer than a piece, its middle is neither its beginning nor the end of a word', async () => {
  const id = 'ffffffff-1111-4111-8111-111111111111';
  await sessionOf(id, `begin ${'uv'.repeat(60_000)} end`);
  expect(await matches(id, '^[uv]')).toBe(0);
  expect(await matches(id, '[uv]$')).toBe(0);
  expect(await matches(id, '\\bu')).toBe(1);
  expect(await matches(id, '\\bv')).toBe(0);
  expect(await matches(id, '^begin')).toBe(1);
  expect(await matches(id, 'end$')).toBe(1);
});
