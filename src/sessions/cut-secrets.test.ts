import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { PLANTED } from '../contract/redact/planted.fixture.ts';
import { redact } from '../contract/redact.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
/** Where a secret begins, so that a cut at 60, 120, 400 or 2,000 characters falls into it at every tenth place. */
const STARTS = [0, 10, 20, 30, 40, 50, 105, 370, 380, 390, 1970, 1980, 1990];

const ONE_LINE = PLANTED.filter(({ text: shown }) => !shown.includes('\n'));
/** Stretches of eight characters that redaction takes out and that tell nothing but the secret. */
const known = ONE_LINE.map(({ text: shown, secret }) => redact(shown) + shown.replace(secret, '')).join('\n');
const PIECES = new Set(
  ONE_LINE.flatMap(({ secret }) => {
    const pieces = Array.from({ length: secret.length - 7 }, (_none, at) => secret.slice(at, at + 8));
    return pieces.filter((piece) => !known.includes(piece) && !/^[a-z]+$/.test(piece));
  }),
);

const padded = (at: number, shown: string) =>
  `${'echo x; '.repeat(at / 8 + 1).slice(0, Math.max(0, at - 1))} ${shown}`;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  const a = claude({ id: A });
  let number = 0;
  const id = () => `msg_${++number}_0000000000000000`;
  const records = ONE_LINE.flatMap(({ text: shown }, index) =>
    STARTS.filter((_at, place) => place % 3 === index % 3).flatMap((at) => {
      const line = padded(at, shown);
      const plain = 'word '.repeat(at / 5 + 1).slice(0, Math.max(0, at - 1));
      return [
        a.prompt(`${plain} ${shown}`),
        a.answer(id(), call(`t${number}`, 'Bash', { command: `run --with ${plain} ${shown}` })),
        a.result(`t${number}`, 'bad', { error: true }),
        a.answer(id(), call(`g${number}`, 'Grep', { pattern: line })),
        a.answer(id(), call(`w${number}`, 'Write', { file_path: `/srv/${plain}/${shown}`, content: 'x' })),
        a.answer(id(), text(`${plain} ${shown}`)),
        a.record(`brand-new ${plain} ${shown}`, { words: `${plain} ${shown}` }),
      ];
    }),
  );
  writeLog(join(desk.folders.claude, 'p', `${A}.jsonl`), lines(records));
  await desk.sessions.reading.refresh();
});
afterAll(() => desk.close());

function leaks(haystack: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + 8 <= haystack.length; at++) {
    const piece = haystack.slice(at, at + 8);
    if (PIECES.has(piece)) found.push(haystack.slice(Math.max(0, at - 40), at + 20));
  }
  return found.slice(0, 5);
}

test('no piece of a secret is in an answer that shows beginnings', async () => {
  const budget = 100_000;
  for (const [operation, input] of [
    ['get_session_turns', { session_id: A, limit: 50 }],
    ['analyze_session', { session_id: A }],
    ['get_session_summary', { session_id: A }],
    ['list_sessions', {}],
    ['sessions_doctor', {}],
  ] as const) {
    let answer = await desk.ask(operation, input, { budget });
    for (let page = 0; page < 40; page++) {
      expect(leaks(JSON.stringify(answer)), operation).toEqual([]);
      const cursor = answer.pagination?.next_cursor;
      if (cursor === undefined) break;
      answer = await desk.ask(operation, { cursor }, { budget });
    }
  }
});

test('no piece of a secret is in the database file', () => {
  const folder = join(desk.home, 'data');
  for (const name of readdirSync(folder))
    expect(leaks(readFileSync(join(folder, name)).toString('latin1')), name).toEqual([]);
});

test('no piece of a secret is in the texts that are kept for search', async () => {
  const session = await desk.sessions.list.find(A);
  const texts = await desk.sessions.events.texts(session, 0, session.events);
  expect(leaks([...texts.values()].join('\n'))).toEqual([]);
});
