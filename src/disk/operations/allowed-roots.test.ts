import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import { DISK_OPERATIONS } from './index.ts';

/** A caller that may read one folder learns nothing about another, whatever handle it uses, and changes nothing there. */

const house = await temporaryApp();
const secret = emptyFolder();
const own = emptyFolder();
for (const folder of [secret, own]) {
  mkdirSync(join(folder, 'inner', 'private-name'), { recursive: true });
  writeFileSync(join(folder, 'inner', 'private-name', 'file.txt'), 'x'.repeat(5_000));
  writeFileSync(join(folder, 'other.txt'), 'x'.repeat(9_000));
}
const owner = { id: 'owner', roots: [secret] };
const stranger = { id: 'stranger', roots: [own] };
const partly = { id: 'partly', roots: [join(secret, 'inner')] };

const call = async (operation: string, input: object, caller: object) =>
  (await ask(house, operation, { ...input }, caller)).body;

/** Handles that the owner made, by name. */
const made: Record<string, string> = {};

beforeAll(async () => {
  await indexed(house, secret, owner);
  await indexed(house, own, stranger);
  const { data } = await call('cd', { path: secret }, owner);
  made.index = data.index_id;
  made.shell = data.shell;
  made.node = data.entries.find((entry: { name: string }) => entry.name === 'other.txt').node_id;
  const run = await call(
    'query_run',
    { index_id: made.index, filter: { name: '*.txt' }, save_as: 'mine' },
    owner,
  );
  made.query = run.data.query_id;
  made.set = run.data.selection_id;
  made.plan = (await call('disk_plan_create', { selection_id: made.set }, owner)).data.plan_id;
  const found = await call('disk_find', { index_id: made.index, limit: 1 }, owner);
  made.cursor = found.pagination.next_cursor;
  const listed = await call('cd', { path: secret, limit: 1 }, owner);
  made.cdCursor = listed.pagination.next_cursor;
  const file = join(own, 'export.json');
  writeFileSync(file, JSON.stringify([1, 2, {}, [{ name: join(secret, 'made-up') }]]));
  made.file = file;
  expect(Object.values(made)).not.toContain(undefined);
});

/** Every operation with an input that leads to what is not the caller's. Empty: its list must not show it. */
const ways: Record<string, (object | 'list' | 'none')[]> = {
  cd: [{ path: secret }, { path: 'inner', shell: '{shell}' }, { cursor: '{cdCursor}' }],
  inspect: [
    { path: join(secret, 'other.txt') },
    { node_id: '{node}', index_id: '{index}' },
    { path: 'other.txt', shell: '{shell}' },
  ],
  query_run: [
    { query_id: '{query}' },
    { index_id: '{index}', filter: { kind: 'file' } },
    { filter: { kind: 'file' }, into: '{set}' },
    { filter: { kind: 'file' }, save_as: 'mine' },
  ],
  query_list: ['list'],
  query_get: [{ query_id: '{query}' }],
  resource_set_create: [
    { name: 'x', query_id: '{query}' },
    { name: 'x', index_id: '{index}', node_ids: ['{node}'] },
  ],
  resource_set_list: ['list'],
  resource_set_get: [{ selection_id: '{set}' }],
  resource_set_update: [
    { selection_id: '{set}', name: 'taken' },
    { selection_id: '{set}', remove: ['{node}'] },
  ],
  resource_set_delete: [{ selection_id: '{set}' }],
  session_preferences: [{ shell: '{shell}' }, { shell: '{shell}', units: 'si' }],
  disk_summary: [{ index_id: '{index}' }, { under: secret }],
  disk_find: [{ index_id: '{index}' }, { under: secret }, { cursor: '{cursor}' }],
  disk_indexes: ['list'],
  disk_index: [{ index_id: '{index}' }],
  disk_index_delete: [{ index_id: '{index}' }],
  disk_tree: [{ index_id: '{index}' }, { index_id: '{index}', parent: '{node}' }],
  disk_treemap: [{ index_id: '{index}' }, { under: secret }],
  disk_import: [{ file: '{file}' }],
  disk_export: ['none'],
  disk_largest: [{ index_id: '{index}' }, { under: secret }],
  disk_extensions: [{ index_id: '{index}' }, { under: secret }],
  disk_ages: [{ index_id: '{index}' }, { under: secret }],
  disk_duplicates: [{ index_id: '{index}' }, { under: secret }],
  disk_growth: [{ index_id: '{index}' }, { under: secret }],
  disk_compare: [
    { index_id: '{index}', other: 'i2' },
    { index_id: 'i2', other: '{index}' },
  ],
  resource_set_entries: [{ selection_id: '{set}' }],
  query_delete: [{ query_id: '{query}' }],
  disk_plan_create: [{ selection_id: '{set}' }],
  disk_plans: ['list'],
  disk_plan: [{ plan_id: '{plan}' }],
  disk_plan_run: ['none'],
  disk_plan_undo: ['none'],
};

test('no operation is left out of this table', () => {
  expect(Object.keys(ways).sort()).toEqual(DISK_OPERATIONS.map(({ name }) => name).sort());
});

const filled = (input: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(input).replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? ''));
const refusals = ['path_not_allowed', 'forbidden', 'index_not_found', 'invalid_cursor', 'conflict'];

describe.each([
  ['a stranger', stranger],
  ['one who may read a part', partly],
])('%s', (_who, caller) => {
  const whole = caller === stranger;
  for (const [operation, inputs] of Object.entries(ways)) {
    for (const input of inputs) {
      if (input === 'none') continue;
      test(`${operation} ${JSON.stringify(input).slice(0, 80)}`, async () => {
        const { answer, body } = await ask(house, operation, filled(input === 'list' ? {} : input), caller);
        // What may be read in part is answered for that part; a name outside it never shows.
        if (input === 'list') expect(body.error).toBeUndefined();
        else if (whole) expect(refusals).toContain(body.error?.code);
        for (const hidden of whole ? ['private-name', 'other.txt'] : ['other.txt'])
          expect(answer.rendered.text).not.toContain(hidden);
      });
    }
  }
});

test.each(['disk_plan_run', 'disk_plan_undo'])(
  '%s refuses even a person who may not read the files',
  async (operation) => {
    const person = { ...stranger, door: 'page' };
    expect((await call(operation, { plan_id: made.plan, confirm: 2 }, person)).error?.code ?? '').toMatch(
      /path_not_allowed|invalid_parameter/,
    );
    const named = operation === 'disk_plan_run' ? { plan_id: made.plan, confirm: 2 } : { plan_id: made.plan };
    expect((await call(operation, named, person)).error.code).toBe('path_not_allowed');
  },
);

test('an export of what may be read only in part is refused', async () => {
  const person = { ...partly, door: 'cli', cwd: join(secret, 'inner') };
  const { error } = await call(
    'disk_export',
    { file: join(secret, 'inner', 'e.json'), index_id: made.index },
    person,
  );
  expect(error.code).toBe('path_not_allowed');
});

test('nothing was changed meanwhile, and the owner still sees everything', async () => {
  expect((await call('resource_set_get', { selection_id: made.set }, owner)).data).toMatchObject({
    name: 'mine',
    counts: { nodes: 2 },
  });
  expect((await call('query_get', { query_id: made.query }, owner)).data.filter).toEqual({ name: '*.txt' });
  expect((await call('disk_plan', { plan_id: made.plan }, owner)).data.items).toBe(2);
  expect((await call('session_preferences', { shell: made.shell }, owner)).data).toMatchObject({
    shell: made.shell,
    cwd: realpathSync(secret),
  });
  expect((await call('disk_find', { cursor: made.cursor }, owner)).data.nodes.length).toBeGreaterThan(0);
});

test('a set outlives its index and can still be forgotten', async () => {
  const { data } = await call(
    'query_run',
    { index_id: 'i2', filter: { kind: 'file' }, select: true },
    stranger,
  );
  await call('disk_index_delete', { index_id: 'i2' }, stranger);
  expect((await call('resource_set_get', { selection_id: data.selection_id }, stranger)).error.code).toBe(
    'index_not_found',
  );
  expect(
    (await call('resource_set_delete', { selection_id: data.selection_id }, stranger)).data.deleted,
  ).toBe(true);
});

test('who may read a part of an index sees that part as its root, with its totals', async () => {
  const { data } = await call('disk_indexes', {}, partly);
  const [card, ...others] = data.indexes;
  expect(others).toEqual([]);
  expect(card).toMatchObject({
    index_id: made.index,
    root: realpathSync(join(secret, 'inner')),
    partial: true,
    files: 1,
    dirs: 2,
  });
  expect(card.size).toBeLessThan(5_000 + 3 * 4_096 + 1);
  expect((await call('disk_index', { index_id: made.index }, partly)).data).toEqual(card);
  const none = { id: 'none', roots: [join(secret, 'nowhere')] };
  expect((await call('disk_indexes', {}, none)).data.indexes).toEqual([]);
});
