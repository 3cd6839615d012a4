import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import { type SessionMarks, sessionMarks } from '../../src/sessions/store/session-marks.ts';
import type { PostgresDatabase } from '../../src/store/postgres.ts';
import { teamMarks } from '../../src/team/team-marks.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { ask, temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { sharedPostgres } from './postgres.ts';

/* Stars and notes: the same in a file and in the database of a team, where every node has them. */

let db: PostgresDatabase;
const nodes: OpenApp[] = [];
const SESSION = '5e55a001-0000-4000-8000-000000000001';
const PERSON = { door: 'cli' } as const;

beforeAll(async () => {
  const pg = await sharedPostgres();
  db = await openTeamStore(await pg.database(), { log: () => {} });
  const url = await pg.database();
  for (let at = 0; at < 2; at++)
    nodes.push(
      await openApp({
        home: temporaryFolder(),
        env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: url },
        log: () => {},
        baseUrl: () => '',
      }),
    );
  await nodes[0]?.services.team?.receive(messageOf({ records: recordsOf(2) }));
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await db?.close();
});

const stores: readonly (readonly [string, () => SessionMarks])[] = [
  ['a file', () => sessionMarks(temporaryFolder())],
  ['PostgreSQL', () => teamMarks(db)],
];

test.each(stores)('marks in %s: kept, replaced, removed', async (_name, open) => {
  const marks = open();
  expect(await marks.of('one')).toEqual({});
  await marks.set('one', { starred: true });
  await marks.set('two', { starred: true, note: "it's worth reading \\ 'twice'" });
  await marks.set('three', { note: 'ü' });
  expect(await marks.of('one')).toEqual({ starred: true });
  expect(await marks.of('two')).toEqual({ starred: true, note: "it's worth reading \\ 'twice'" });
  expect([...(await marks.starred())].sort()).toEqual(['one', 'two']);
  await marks.set('two', { note: 'only this' });
  expect(await marks.of('two')).toEqual({ note: 'only this' });
  await marks.set('three', {});
  expect(await marks.of('three')).toEqual({});
  expect(await marks.starred()).toEqual(['one']);
});

const on = (at: number) => nodes[at] ?? Promise.reject(new Error('no such node'));

test('what is marked on one node is found on another, by those who see the session', async () => {
  const input = { session_id: SESSION, starred: true, note: 'how it was fixed' };
  expect((await ask(await on(0), 'mark_session', input, PERSON)).body.data).toEqual({
    session_id: '5e55a001',
    starred: true,
    note: 'how it was fixed',
  });
  const starred = { starred: true, fields: 'id,starred,note' };
  const listed = async (sees?: readonly string[]) =>
    (await ask(await on(1), 'list_sessions', starred, { ...PERSON, ...(sees && { sees }) })).body.data
      .sessions;
  const shown = [{ id: '5e55a001', starred: true, note: 'how it was fixed' }];
  expect(await listed()).toEqual(shown);
  expect(await listed(['example.com/acme/api'])).toEqual(shown);
  expect(await listed(['example.com/acme/web'])).toEqual([]);
  expect((await ask(await on(1), 'mark_session', { session_id: SESSION }, PERSON)).body.data.note).toBe(
    'how it was fixed',
  );
});
