import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { fromSystem } from '../contract/errors.ts';
import type { Migration } from './database.ts';
import { tryLock } from './lock.ts';
import { openSqlite } from './sqlite.ts';

const folder = temporaryFolder();
const open = (name: string, schema: readonly Migration[]) => openSqlite(join(folder, `${name}.db`), schema);

const SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'first',
    sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER)',
  },
];
const GROWN: readonly Migration[] = [
  ...SCHEMA,
  { id: 2, name: 'second', sql: 'ALTER TABLE things ADD COLUMN note TEXT' },
];

test('a whole number that is too large is read as the largest exact one', async () => {
  const db = await open('large', SCHEMA);
  await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 1, 'large', 2n ** 62n);
  await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 2, 'least', -(2n ** 62n));
  await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 3, 'small', 7);
  const large = { id: 1, name: 'large', size: Number.MAX_SAFE_INTEGER };
  expect(await db.get('SELECT * FROM things WHERE id = 1')).toEqual(large);
  expect(await db.all('SELECT * FROM things ORDER BY id')).toEqual([
    large,
    { id: 2, name: 'least', size: Number.MIN_SAFE_INTEGER },
    { id: 3, name: 'small', size: 7 },
  ]);
  expect(await db.get('SELECT size FROM things WHERE id = 3')).toEqual({ size: 7 });
  await db.close();
});

test('rows come back as they were put in', async () => {
  const db = await open('rows', SCHEMA);
  await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 1, 'ü "quoted"', 2 ** 40);
  await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 2, 'empty', null);
  expect(await db.get('SELECT * FROM things WHERE id = ?', 1)).toEqual({
    id: 1,
    name: 'ü "quoted"',
    size: 2 ** 40,
  });
  expect(await db.get('SELECT size FROM things WHERE id = ?', 2)).toEqual({ size: null });
  expect(await db.get('SELECT * FROM things WHERE id = ?', 3)).toBeUndefined();
  expect(await db.all('SELECT name FROM things ORDER BY id DESC')).toEqual([
    { name: 'empty' },
    { name: 'ü "quoted"' },
  ]);
  expect((await db.run('UPDATE things SET size = 1')).changes).toBe(2);
  await db.close();
});

test('a batch is all or nothing', async () => {
  const db = await open('batch', SCHEMA);
  const insert = 'INSERT INTO things (id, name) VALUES (?, ?)';
  expect(
    await db.batch(insert, [
      [1, 'a'],
      [2, 'b'],
    ]),
  ).toBe(2);
  await expect(
    db.batch(insert, [
      [3, 'c'],
      [4, 'a'],
    ]),
  ).rejects.toThrow();
  expect(await db.all('SELECT id FROM things ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  await db.close();
});

test('a transaction that throws leaves nothing, and others wait for it', async () => {
  const db = await open('transactions', SCHEMA);
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const failing = db.transaction(async (tx) => {
    await tx.run('INSERT INTO things (id, name) VALUES (1, ?)', 'gone');
    await held;
    throw new Error('no');
  });
  const count = db.get('SELECT COUNT(*) AS n FROM things');
  release();
  await expect(failing).rejects.toThrow('no');
  expect(Number((await count)?.n)).toBe(0);
  await db.transaction((tx) => tx.run('INSERT INTO things (id, name) VALUES (1, ?)', 'stays'));
  expect(await db.get('SELECT name FROM things')).toEqual({ name: 'stays' });
  await db.close();
});

test('an older schema is brought up to date, a newer one is refused', async () => {
  const old = await open('migrate', SCHEMA);
  await old.run('INSERT INTO things (id, name) VALUES (1, ?)', 'kept');
  await old.close();
  const grown = await open('migrate', GROWN);
  expect(await grown.get('SELECT name, note FROM things')).toEqual({ name: 'kept', note: null });
  await grown.close();
  await expect(open('migrate', SCHEMA)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('newer Pinhole'),
  });
});

test('a step that fails leaves the old schema', async () => {
  const db = await open('broken', SCHEMA);
  await db.close();
  await expect(
    open('broken', [...SCHEMA, { id: 2, name: 'bad', sql: 'CREATE TABLE half (id INTEGER); NONSENSE;' }]),
  ).rejects.toThrow();
  const again = await open('broken', SCHEMA);
  await expect(again.all('SELECT * FROM half')).rejects.toThrow();
  await again.close();
});

test('a lock has one holder, and is free again when that process is killed', async () => {
  const file = join(folder, 'some.lock');
  const lock = tryLock(file);
  expect(lock).toBeDefined();
  expect(tryLock(file)).toBeUndefined();
  lock?.release();

  const script = `const { createRequire } = require('node:module');
    const r = createRequire(${JSON.stringify(import.meta.url)});
    const D = (() => { try { return r('node:sqlite').DatabaseSync } catch { return r('@photostructure/sqlite').DatabaseSync } })();
    const db = new D(${JSON.stringify(file)}); db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(tryLock(file)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = tryLock(file);
  expect(again).toBeDefined();
  again?.release();
});

test('a full disk is said to be one, and what comes after it works', async () => {
  const schema = [{ id: 1, name: 'notes', sql: 'CREATE TABLE notes (text TEXT)' }];
  const db = await openSqlite(join(folder, 'full.db'), schema);
  await db.run('PRAGMA max_page_count = 8');
  const large = 'x'.repeat(100_000);
  const write = db.transaction((inside) => inside.run('INSERT INTO notes VALUES (?)', large));
  const error = await write.catch((reason: unknown) => reason);
  expect(fromSystem(error)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('disk is full'),
  });
  await db.batch('INSERT INTO notes VALUES (?)', [['small']]);
  expect(await db.all('SELECT * FROM notes')).toEqual([{ text: 'small' }]);
  await db.close();
});

test('a database that another process holds for a moment is waited for', async () => {
  const file = join(temporaryFolder(), 'held.db');
  const script = `const { DatabaseSync } = require('@photostructure/sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec('CREATE TABLE held (n); BEGIN EXCLUSIVE');
    console.log('held');
    setTimeout(() => db.exec('COMMIT'), 300);`;
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  const db = await openSqlite(file, []);
  expect(await db.get('SELECT 1 AS one')).toEqual({ one: 1 });
  await db.close();
});
