import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  claude,
  lines,
  resetClock,
  text,
  tick,
  writeLog,
} from '../../../test/fixtures/sessions/logs.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';
import type { Caller } from '../../contract/caller.ts';

const ID = '5e55a001-0000-4000-8000-000000000001';
const OTHER = '5e55a002-0000-4000-8000-000000000002';
const CWD = '/home/dev/shop';

let app: OpenApp;
let logs: string;
let clockMs = Date.now();

beforeEach(async () => {
  resetClock();
  const home = temporaryFolder();
  logs = join(home, '.claude/projects/p');
  app = await temporaryApp({ env: { HOME: home }, now: () => clockMs });
});
afterEach(() => app.close());

function compacted(id = ID): void {
  const main = claude({ id, cwd: CWD });
  const bash = (name: string, command: string, output: string, failed = false) => [
    main.answer(`msg_${name}`, call(name, 'Bash', { command })),
    main.result(name, output, failed ? { error: true } : {}),
  ];
  writeLog(
    join(logs, `${id}.jsonl`),
    lines([
      main.prompt('make the cart survive a reload'),
      main.answer('msg_r', call('r1', 'Read', { file_path: `${CWD}/src/store.ts` })),
      main.result('r1', 'export const store = 1; // see src/session/cookie.ts'),
      main.answer(
        'msg_e',
        call('e1', 'Edit', { file_path: `${CWD}/src/cart.ts`, old_string: 'a', new_string: 'b' }),
      ),
      main.result('e1', 'done'),
      main.answer(
        'msg_t',
        call('t1', 'TodoWrite', {
          todos: [
            { content: 'write the cookie', status: 'completed' },
            { content: 'expire old carts', status: 'pending' },
          ],
        }),
      ),
      main.result('t1', 'ok'),
      ...bash('b1', 'npm test', 'Exit code 1\n1 failed', true),
      main.answer('msg_s', text('The cart is stored in a cookie because the server has no sessions.')),
      {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        uuid: `c-${id}`,
        sessionId: id,
        cwd: CWD,
        timestamp: tick(),
      },
      main.prompt('go on'),
      ...bash('b2', 'git status', 'clean'),
    ]),
  );
  clockMs = Date.parse(tick());
}

const recall = async (input = {}, who: Partial<Caller> = {}) => {
  await app.services.sessions.reading.refresh();
  return ask(app, 'recall', input, { cwd: CWD, roots: [], budget: 8_000, ...who });
};

describe('recall', () => {
  test('has what was asked, changed, run and left open before the compaction, with coordinates', async () => {
    compacted();
    const { body } = await recall({ session_id: ID });
    const { data } = body;
    expect(data).toMatchObject({ session_id: '5e55a001', found_by: 'argument', compactions: 1, folder: CWD });
    expect(data.asked.map((one: { text: string }) => one.text)).toEqual([
      'make the cart survive a reload',
      'go on',
    ]);
    expect(data.files).toEqual([
      { path: 'src/cart.ts', event_index: expect.any(Number), edits: 1 },
      { path: 'src/store.ts', event_index: expect.any(Number) },
    ]);
    expect(data.related).toEqual(['src/session/cookie.ts']);
    expect(data.ran.map((one: Record<string, unknown>) => [one.command, one.status, one.exit_code])).toEqual([
      ['git status', 'ok', undefined],
      ['npm test', 'failed', 1],
    ]);
    expect(data.open.map((one: { text: string }) => one.text)).toEqual([
      'expire old carts',
      'npm test failed when it last ran',
    ]);
    expect(data.said[0].text).toContain('stored in a cookie');
    expect(data.compacted_at).toBeGreaterThan(data.files[0].event_index);
  });

  test('is at most 2 kB, however much happened', async () => {
    const main = claude({ id: ID, cwd: CWD });
    const edits = Array.from({ length: 120 }, (_, n) => [
      main.answer(
        `msg_${n}`,
        call(`w${n}`, 'Write', {
          file_path: `${CWD}/src/part-${n}/a-file-with-a-long-name.ts`,
          content: 'x',
        }),
      ),
      main.result(`w${n}`, 'ok'),
      main.answer(`msg_b${n}`, call(`b${n}`, 'Bash', { command: `program-${n} --with "many words" ü` })),
      main.result(`b${n}`, 'ok'),
    ]);
    writeLog(join(logs, `${ID}.jsonl`), lines([main.prompt('p '.repeat(900)), ...edits.flat()]));
    const { answer } = await recall({ session_id: ID }, { format: 'text' });
    const bytes = Buffer.byteLength(answer.rendered.text);
    expect(bytes).toBeGreaterThan(1_800);
    expect(bytes).toBeLessThanOrEqual(2_000);
  });
});

test('a brief has the task, what happened, and how to go on, in 4 kB', async () => {
  compacted();
  await recall({ session_id: ID });
  const { answer } = await ask(app, 'brief', { session_id: ID }, { format: 'text' });
  const { text: brief } = answer.rendered;
  expect(brief).toContain('task make the cart survive a reload');
  expect(brief).toContain(`resume cd ${CWD} && claude --resume ${ID}`);
  expect(brief).toContain('expire old carts');
  expect(Buffer.byteLength(brief)).toBeLessThanOrEqual(4_000);
});

describe('the session that is asking', () => {
  test('is the one that the request names, else the log that grows in the folder', async () => {
    compacted();
    compacted(OTHER);
    expect((await recall({}, { session: ID })).body.data).toMatchObject({
      session_id: '5e55a001',
      found_by: 'request',
    });
    expect((await recall()).body.data).toMatchObject({
      session_id: '5e55a002',
      found_by: 'folder',
      may_be: ['5e55a001'],
    });
  });

  test('is not guessed from logs that no longer grow, or of another folder', async () => {
    compacted();
    expect((await recall({}, { cwd: '/elsewhere' })).body.error).toMatchObject({ code: 'session_not_found' });
    clockMs += 3_600_000;
    expect((await recall()).body.error.message).toMatch(/Give session_id\.$/);
  });

  test('is `self` in every operation', async () => {
    compacted();
    await recall({ session_id: ID });
    const who = { cwd: CWD, session: ID, budget: 100_000 };
    const { body } = await ask(app, 'get_session_turns', { session_id: 'self' }, who);
    expect(body.data.turns).toHaveLength(2);
  });
});
