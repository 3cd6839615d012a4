import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import {
  call,
  claude,
  codex,
  gemini,
  lines,
  text,
  thinking,
  writeLog,
} from '../../test/fixtures/sessions/logs.ts';
import { PLANTED } from '../contract/redact/planted.fixture.ts';
import { SESSION_OPERATIONS } from './operations/index.ts';

const planted = PLANTED.map(({ text: shown }) => shown);
const HARMLESS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'fb8721ecbfa00be7722d4899d66a0261d32fc7f9',
];

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const C = '01a1dcbe-3333-7333-8333-333333333333';
const G = 'cccccccc-4444-4444-8444-444444444444';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  const a = claude({ id: A });
  const all = planted.join('\n');
  writeLog(
    join(desk.folders.claude, 'p', `${A}.jsonl`),
    lines([
      ...planted.flatMap((line, index) => [
        a.prompt(line),
        a.answer(`msg_${index}_0000000000000000`, thinking(line)),
        a.answer(`msg_${index}_0000000000000000`, call(`t${index}`, 'Bash', { command: line })),
        a.result(`t${index}`, line, { error: index % 2 === 0 }),
        a.answer(`msg_${index}_0000000000000001`, text(line)),
        a.answer(
          `msg_${index}_0000000000000002`,
          call(`e${index}`, 'Edit', {
            file_path: `/srv/app/f${index}.env`,
            old_string: 'x',
            new_string: line,
          }),
        ),
        a.result(`e${index}`, 'ok'),
        a.answer(`msg_${index}_0000000000000003`, call(`n${index}`, line, {})),
      ]),
      a.record('brand-new', { words: all }),
      { type: 'ai-title', aiTitle: planted[0] },
      a.result('nothing', `${HARMLESS.join('\n')}\n${all}\n${'x\n'.repeat(30_000)}${all}`),
    ]),
  );
  writeLog(
    join(desk.folders.codex, `rollout-${C}.jsonl`),
    lines([
      codex.meta(C),
      codex.user(all),
      codex.call('a', 'exec_command', { cmd: all }),
      codex.output('a', all),
      codex.said(all),
    ]),
  );
  writeLog(
    join(desk.folders.gemini, 'x/chats/session-1.jsonl'),
    lines([
      gemini.header(G),
      gemini.user('u', [{ text: all }]),
      {
        ...gemini.answer('m1', { content: all }),
        toolCalls: [gemini.tool('t', 'read_file', { path: all }, all)],
      },
    ]),
  );
  await desk.sessions.reading.refresh();
});
afterAll(() => desk.close());

/** Lines of secrets that are found in a text, as they are or as JSON has them. */
const SECRET_LINES = PLANTED.flatMap(({ kind, secret }) =>
  secret
    .split('\n')
    .flatMap((line) => (line.length > 6 && !line.startsWith('-----') ? [{ kind, line }] : [])),
);
const leaks = (haystack: string) =>
  SECRET_LINES.flatMap(({ kind, line }) => (haystack.includes(line) ? [kind] : []));

test('no secret is in any answer', async () => {
  for (const id of [A, C, G]) {
    const session = await desk.sessions.list.find(id);
    for (const { name, input } of SESSION_OPERATIONS) {
      const all = {
        session_id: id,
        turn_index: 0,
        event_index: 0,
        query: 'key',
        pattern: 'key',
        path: '/srv/app',
        a: A,
        b: id,
        include_full_payload: true,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([field]) => field in input.shape));
      for (const budget of [8_000, 100_000]) {
        expect(leaks(JSON.stringify(await desk.ask(name, given, { budget }))), name).toEqual([]);
      }
    }
    for (let index = 0; index < session.events; index++) {
      for (const raw of [false, true]) {
        const answer = await desk.ask(
          'get_event_details',
          { session_id: id, event_index: index, raw },
          { budget: 100_000 },
        );
        expect(leaks(JSON.stringify(answer)), `event ${index}`).toEqual([]);
      }
    }
    for (let turn = 0; turn < Math.min(session.turns, 20); turn++) {
      const answer = await desk.ask(
        'get_turn_steps',
        { session_id: id, turn_index: turn },
        { budget: 100_000 },
      );
      expect(leaks(JSON.stringify(answer)), `turn ${turn}`).toEqual([]);
    }
  }
});

test('a search for a secret finds nothing, hashes and ids are found', async () => {
  for (const { line } of SECRET_LINES) {
    expect((await desk.ask('search_event_previews', { query: line })).data.matches).toEqual([]);
  }
  for (const plain of HARMLESS) {
    expect((await desk.ask('search_event_previews', { query: plain })).data.matches).toHaveLength(1);
  }
});

test('twenty kinds and more', () => {
  expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
});

test('no secret is in the texts that are kept for search', async () => {
  for (const id of [A, C, G]) {
    const session = await desk.sessions.list.find(id);
    const texts = await desk.sessions.events.texts(session, 0, session.events);
    expect(texts.size).toBeGreaterThan(3);
    expect(leaks([...texts.values()].join('\n'))).toEqual([]);
  }
});

test('no secret is in the database file', () => {
  const folder = join(desk.home, 'data');
  for (const name of readdirSync(folder)) {
    expect(leaks(readFileSync(join(folder, name)).toString('latin1')), name).toEqual([]);
  }
});
