import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { caller, temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { sharedPostgres } from './postgres.ts';

/* `sql` on PostgreSQL: who sees what, and what a query cannot do. */

let team: OpenApp;

beforeAll(async () => {
  const pg = await sharedPostgres();
  team = await openApp({
    home: temporaryFolder(),
    env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: await pg.database() },
    log: () => {},
    baseUrl: () => '',
  });
  await team.services.team?.receive(messageOf({ records: recordsOf(5) }));
  const other = messageOf({ records: recordsOf(3) });
  const id = '0e55a002-0000-4000-8000-000000000002';
  await team.services.team?.receive({
    ...other,
    log: { ...other.log, path: `/home/bob/${id}.jsonl`, place: { id }, project: 'example.com/acme/web' },
    records: other.records.map((record) => ({
      ...record,
      text: record.text.replace('5e55a001-0000-4000-8000-000000000001', id),
    })),
  });
});
afterAll(() => team?.close());

let calls = 0;
async function ask(query: string, more: Partial<Caller> & { readonly find?: string } = {}) {
  const { find, ...who } = more;
  const { rendered } = await team.engine.run(
    'sql',
    { query, ...(find !== undefined && { find }) },
    { caller: caller({ id: `test-${calls++}`, ...who }) },
  );
  return JSON.parse(rendered.text);
}
const rows = async (query: string, more: Parameters<typeof ask>[1] = {}) =>
  (await ask(query, more)).data?.rows;

test('a caller who sees one project finds nothing of another, also by mistakes', async () => {
  expect(await rows('SELECT id, project FROM sessions ORDER BY id')).toEqual([
    ['0e55a002', 'example.com/acme/web'],
    ['5e55a001', 'example.com/acme/api'],
  ]);
  const web = { sees: ['example.com/acme/web'] };
  expect(await rows('SELECT id FROM sessions', web)).toEqual([['0e55a002']]);
  expect(await rows('SELECT session, count(*) FROM messages GROUP BY session', web)).toEqual([
    ['0e55a002', 3],
  ]);
  expect(await rows('SELECT session FROM found', { ...web, find: 'number 2' })).toEqual([['0e55a002']]);
  expect(await rows('SELECT id FROM sessions', { sees: [] })).toEqual([]);
  // The error of a conversion shows the value: it must not be one of another project.
  const { error } = await ask('SELECT CAST(prompt AS integer) FROM turns', web);
  expect(error.message).toContain('prompt number');
  expect(await rows("SELECT CAST(prompt AS integer) FROM turns WHERE session = '5e55a001'", web)).toEqual([]);
  expect(
    await ask("SELECT prompt FROM turns WHERE prompt LIKE '%number 4%' AND 1 / length(prompt) >= 0", web),
  ).toMatchObject({ data: { rows: [] } });
});

test.each([
  "SELECT set_config('pinhole.sees', '*', false) FROM sessions",
  "SELECT \"set_config\"('role', 'none', false) FROM sessions",
  "SELECT pg_catalog.set_config('role', 'none', false) FROM sessions",
  "SELECT query_to_xml('select * from pinhole.tokens', true, false, '') FROM sessions",
  'SELECT hash FROM pinhole.tokens, sessions',
  'SELECT * FROM pinhole.lines JOIN sessions ON true',
  'SELECT s.* FROM pinhole_sql.seen_sessions s, sessions',
  "SELECT pg_read_file('/etc/passwd') FROM sessions",
  'SELECT pg_sleep(100) FROM sessions',
  "SELECT U&\"\\0073et_config\"('role', 'none', false) FROM sessions",
  "SELECT E'\\'' || set_config('role', 'none', false) || '' FROM sessions",
  "SELECT $$a$$ || 'b' FROM sessions",
  "SELECT '$$' , set_config /* x */ ('role', 'none', false) FROM sessions",
  'WITH x AS (DELETE FROM sessions RETURNING *) SELECT * FROM x',
  'SELECT * INTO copied FROM sessions',
  'SELECT * FROM sessions FOR UPDATE',
  "SELECT nextval('pinhole.log_numbers') FROM sessions",
  'SELECT /* /* */ 1 */ FROM sessions',
  'EXECUTE pinhole_0 /* sessions */',
  'SELECT 1 FROM sessions) AS a, (SELECT id FROM sessions',
])('refused on PostgreSQL: %s', async (query) => {
  expect(await ask(query)).toMatchObject({ error: { code: 'invalid_parameter' } });
  expect(await rows('SELECT count(*) FROM sessions')).toEqual([[2]]);
});

test('mistakes are explained, and a slow query ends at its limit', async () => {
  expect((await ask('SELECT promt FROM turns')).error.message).toMatch(
    /^No column 'promt'\. turns: prompt, .* This server speaks PostgreSQL's dialect\.$/,
  );
  expect((await ask('SELECT 1 FROM sessions, turnz')).error.message).toMatch(
    /^No table 'turnz'\. Tables: turns,/,
  );
  expect((await ask('SELECT FROM WHERE sessions, turns')).error.message).toContain('Syntax error near');
  expect((await ask('SELECT 1 FROM sessions, files')).error.message).toContain('Ask two statements.');
  const slow = 'SELECT count(*) FROM sessions, generate_series(1, 100000) a, generate_series(1, 1000000) b';
  expect(await ask(slow, { timeoutMs: 1_000 })).toMatchObject({ error: { code: 'search_timeout' } });
  expect(await rows('SELECT count(*) FROM turns')).toEqual([[8]]);
});

test('a result that is too large is cut, and the next query is not', async () => {
  const { data } = await ask('SELECT id, n FROM sessions, generate_series(1, 20000000) n');
  expect(data.columns).toEqual(['id', 'n']);
  expect(data.rows[0]).toEqual(['5e55a001', 1]);
  expect(await rows('SELECT count(*) FROM sessions')).toEqual([[2]]);
});

test('several statements, some of them on this node, are one answer', async () => {
  const { data } = await ask(
    'SELECT count(*) AS n FROM turns; SELECT count(*) AS n FROM tables WHERE "table" = \'turns\'',
  );
  expect(data.rows).toEqual([[8]]);
  expect(data.further[0].rows[0][0]).toBeGreaterThan(10);
});
