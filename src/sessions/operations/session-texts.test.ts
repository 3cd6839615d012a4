import { afterAll, expect, test } from 'vitest';
import { A, B, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('one thing is singular, and what did not happen is not mentioned', async () => {
  const text = (operation: string) => desk.text(operation, { session_id: B });
  const summary = await text('get_session_summary');
  expect(summary).toMatch(/ {2}1 turn {2}1 call$/m);
  expect(summary).toMatch(
    /\n {2}src\/b\.ts {2}1 read\nresume cd \/srv\/app && claude --resume aaaaaaaa-2\S+$/,
  );
  expect((await text('get_session_turns')).split('\n').slice(0, 2)).toEqual([
    'aaaaaaaa-2  1 turn',
    '0 03-01 10:00  1 step  Read 1  out 20 of 1.13k tok  partial  "other work"  read src/b.ts',
  ]);
  expect(await text('get_session_full')).toMatch(/^aaaaaaaa-2 {2}1 turn, 2 events\n/);
  expect(await text('session_timeline')).toBe('aaaaaaaa-2  1 call, 1 response');
});

test('a score names what each deduction is for', async () => {
  expect((await desk.text('analyze_session', { session_id: A })).split('\n').slice(0, 4)).toEqual([
    'aaaaaaaa-1  score 67 of 100: -8 for 1 check that still fail, -12 for 4 failed checks, -8 for 1 loop, -5 for 1 retry without a change',
    'critical checks e15 t1.3  npm test failed 4 of 4 runs, including the last: Error: "quoted" thing failed',
    'warning loops e8 t1.0  4 times in a row: npm test',
    'warning retries e8 t1.0  npm test: failed, retried 3 times without a change',
  ]);
});

test('a comparison says where two sessions diverge', async () => {
  const lastLine = async (a: string, b: string) =>
    (await desk.text('compare_sessions', { a, b })).split('\n').at(-1);
  expect(await lastLine(A, B)).toBe('they diverge at call 0: read src/a.ts (e2) / read src/b.ts (e1)');
  expect(await lastLine(A, A)).toBe('the same calls in the same order');
});

test('the state of the archive comes with the call that switches it on', async () => {
  const text = await desk.text(
    'sessions_archive',
    {},
    { door: 'cli', terminal: { columns: 80, unicode: true } },
  );
  expect(text).toMatch(/^off: logs are gone when the agents delete them\nno copies yet\n/);
  expect(text).toMatch(/\nnext: pinhole sessions archive on$/);
});

test('without a session the error says how to find out why', async () => {
  expect((await desk.ask('current_session', { project: '/nowhere' }, { door: 'cli' })).error).toMatchObject({
    code: 'session_not_found',
    message: 'No session found. Start an agent, or check which log folders are read.',
    next: { operation: 'sessions_doctor', input: {} },
  });
});
