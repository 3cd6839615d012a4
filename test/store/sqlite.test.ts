import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromSystem } from '../../src/contract/errors.ts';
import { tryLock } from '../../src/store/lock.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { temporaryFolder } from '../support.ts';
import { databaseContract } from './suite.ts';

const folder = temporaryFolder();
databaseContract('SQLite', (name, schema) => openSqlite(join(folder, `${name}.db`), schema));

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
