import { execFile } from 'node:child_process';
import { realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claude, lines, text, writeLog } from './fixtures/sessions/logs.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

/** Writes the log of a session in which a prompt was answered at this time. */
function logAt(home: string, id: string, time: string): void {
  const at = { timestamp: time };
  const c = claude({ id, cwd: '/srv/app', extra: at });
  writeLog(
    join(home, `.claude/projects/-srv-app/${id}.jsonl`),
    lines([c.prompt('hello'), c.answer(`m-${id}`, text('hi'), { input: 10, output: 5 })]),
  );
}

const LATE = '5e55a001-0000-4000-8000-000000000001';
const OLD = '5e55b002-0000-4000-8000-000000000002';

async function appWithLogs() {
  const home = temporaryFolder();
  logAt(home, LATE, '2026-11-14T22:00:00.000Z');
  logAt(home, OLD, '2025-11-14T10:00:00.000Z');
  return temporaryApp({ env: { HOME: home }, now: () => Date.parse('2026-11-15T12:00:00Z') });
}

const app = await appWithLogs();
const texts = async (operation: string, input: Record<string, unknown>, zone: string) =>
  (await ask(app, operation, input, { format: 'text', zone })).answer.rendered.text;

test('sessions are listed with the time in the zone of the reader, and the year if it is another', async () => {
  expect(await texts('list_sessions', {}, 'Asia/Tokyo')).toBe(
    [
      '5e55a001 claude 11-15 07:00 0s 1 turn 1.11k tok  hello',
      '5e55b002 claude 2025-11-14 19:00 0s 1 turn 1.11k tok  hello',
    ].join('\n'),
  );
  expect(await texts('list_sessions', {}, 'UTC')).toContain('5e55a001 claude 11-14 22:00');
});

test.each([
  ['Asia/Tokyo', '2026-11-15', ['5e55a001']],
  ['UTC', '2026-11-15', []],
  ['UTC', 'yesterday', ['5e55a001']],
  ['America/New_York', '2026-11-14T18:00', []],
  ['America/New_York', '2026-11-14T16:59', ['5e55a001']],
])('in %s, since %s', async (zone, since, expected) => {
  const { body } = await ask(app, 'list_sessions', { since }, { zone });
  expect(body.data.sessions.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test.each([
  ['Asia/Tokyo', 'day', ['2026-11-15', '2025-11-14']],
  ['UTC', 'day', ['2026-11-14', '2025-11-14']],
  // Mondays; the 15th of November 2026 is a Sunday.
  ['UTC', 'weekly', ['2026-11-09', '2025-11-10']],
  ['UTC', 'monthly', ['2026-11', '2025-11']],
])('usage in %s by %s', async (zone, by, groups) => {
  const { body } = await ask(app, 'usage', { by }, { zone });
  expect(body.data.zone).toBe(zone);
  expect(body.data.usage.map(({ group }: { group: string }) => group)).toEqual(groups);
});

test('usage of one project', async () => {
  const rows = async (project: string) =>
    (await ask(app, 'usage', { project })).body.data.usage.length as number;
  expect([await rows('app'), await rows('/srv/app'), await rows('other')]).toEqual([2, 2, 0]);
});

test('tables have times in the zone of the reader too', async () => {
  const query = 'select started from sessions order by 1 desc limit 1';
  expect((await ask(app, 'sql', { query }, { zone: 'Asia/Tokyo' })).body.data.rows).toEqual([
    ['2026-11-15 07:00:00'],
  ]);
  expect((await ask(app, 'sql', { query }, { zone: 'UTC' })).body.data.rows).toEqual([
    ['2026-11-14 22:00:00'],
  ]);
});

test('the day of a file is that of the reader', async () => {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, 'a'), 'a');
  const time = new Date('2026-11-14T22:00:00Z');
  utimesSync(join(folder, 'a'), time, time);
  const day = async (zone: string) =>
    (await ask(app, 'cd', { path: folder }, { zone, roots: [folder] })).body.data.entries[0].modified_at;
  expect([await day('Asia/Tokyo'), await day('UTC')]).toEqual(['2026-11-15', '2026-11-14']);
});

const home = temporaryFolder();
const env = { PATH: process.env.PATH, HOME: home, PINHOLE_HOME: join(home, 'data'), PINHOLE_PORT: '0' };
const pinhole = (TZ: string, ...args: string[]) =>
  new Promise<string>((done) => {
    execFile(process.execPath, [resolve('dist/main.js'), ...args], { env: { ...env, TZ } }, (_, out) =>
      done(out),
    );
  });
afterAll(() => pinhole('UTC', 'stop'));

test('a command tells its zone to a background process that was started elsewhere', async () => {
  logAt(home, LATE, '2026-11-14T22:00:00.000Z');
  await pinhole('America/New_York', 'health');
  await expect
    .poll(() => pinhole('Asia/Tokyo', 'sessions', 'list'))
    .toMatch(/^5e55a001 claude \S*11-15 07:00 /);
  expect(await pinhole('UTC', 'sessions', 'usage')).toMatch(/^2026-11-14 /m);
  expect(await pinhole('Asia/Tokyo', 'sessions', 'usage')).toMatch(/^2026-11-15 /m);
  expect(await pinhole('Asia/Tokyo', 'sessions', 'list', '--since', '2026-11-15')).toContain('5e55a001');
});
