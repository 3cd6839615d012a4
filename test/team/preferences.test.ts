import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import { type SessionMarks, sessionMarks } from '../../src/sessions/store/session-marks.ts';
import { ownPrices } from '../../src/sessions/tokens/own-prices.ts';
import type { PostgresDatabase } from '../../src/store/postgres.ts';
import { teamMarks } from '../../src/team/team-marks.ts';
import { teamPrices } from '../../src/team/team-prices.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { ask, temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { sharedPostgres } from './postgres.ts';

/* Stars, notes and prices: the same in a file and in the database of a team, where every node has them. */

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

test.each([
  ['a file', async () => ownPrices(temporaryFolder())],
  ['PostgreSQL', () => teamPrices(db, { now: Date.now, log: () => {} })],
])('prices in %s: set, replaced, reset', async (_name, open) => {
  const prices = await open();
  expect(prices.table()).toEqual({});
  await prices.set('model-a', [1, 2, 3, 4]);
  await prices.set('model-b', [5, 6, 7, 8]);
  await prices.set('model-a', [9, 9, 9, 9]);
  expect(prices.table()).toEqual({ 'model-a': [9, 9, 9, 9], 'model-b': [5, 6, 7, 8] });
  expect(await prices.reset('model-a')).toBe(true);
  expect(await prices.reset('model-a')).toBe(false);
  expect(prices.table()).toEqual({ 'model-b': [5, 6, 7, 8] });
  expect(await prices.reset(undefined)).toBe(true);
  expect(prices.table()).toEqual({});
});

test('a price that is set on one node counts on another, also for models that come later', async () => {
  const message = (id: string, model: string) => {
    const record = {
      ...{ type: 'assistant', uuid: `${id}-1`, sessionId: id, cwd: '/srv/api' },
      timestamp: '2026-11-01T10:00:00.000Z',
      message: {
        ...{ id: `msg_${id}`, role: 'assistant', model, content: [{ type: 'text', text: 'done' }] },
        usage: { input_tokens: 1_000_000, output_tokens: 1_000_000 },
      },
    };
    const text = JSON.stringify(record);
    const base = messageOf({ records: [{ at: 0, length: text.length + 1, text }] });
    return { ...base, log: { ...base.log, path: `/home/ann/${id}.jsonl`, place: { id } } };
  };
  const [FIRST, LATER] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001'];
  await nodes[0]?.services.team?.receive(message(FIRST, 'house-model'));
  const cost = async (id: string) => {
    const { body } = await ask(await on(1), 'sql', {
      query: `SELECT cost FROM sessions WHERE full_id = '${id}'`,
    });
    return body.data.rows[0]?.[0];
  };
  const usage = async () =>
    (await ask(await on(1), 'usage', { by: 'model' }, PERSON)).body.data.usage.find(
      ({ group }: { readonly group: string }) => group === 'house-model',
    )?.cost_usd;
  expect(await cost(FIRST)).toBeNull();
  const set = { model: 'house-model', input: 2, output: 10 };
  expect((await ask(await on(0), 'usage_prices', set, PERSON)).answer.ok).toBe(true);
  expect(await cost(FIRST)).toBe(12);
  await expect.poll(usage).toBe(12);
  await nodes[1]?.services.team?.receive(message(LATER, 'house-model-2'));
  await ask(await on(1), 'usage_prices', { ...set, model: 'house-model-2', output: 20 }, PERSON);
  expect(await cost(LATER)).toBe(22);
  await ask(await on(0), 'usage_prices', { reset: true }, PERSON);
  expect(await cost(FIRST)).toBeNull();
  await expect.poll(usage).not.toBe(12);
});
