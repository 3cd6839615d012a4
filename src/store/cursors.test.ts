import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { APP_SCHEMA } from './app-schema.ts';
import { databaseCursors } from './cursors.ts';
import { openDurable } from './durable-database.ts';

const SECRET = 'kQ7vX2mB9tLr4WzN8pYc3HdF6gJs1RaE5uTo0iVx';

test('a position that holds a secret is not written, and works until the process ends', async () => {
  const folder = temporaryFolder();
  const db = await openDurable(join(folder, 'pinhole.db'), APP_SCHEMA, { log: () => {}, now: Date.now });
  const cursors = databaseCursors(db, Date.now);
  const plain = { operation: 'cd', input: {}, position: 'a.txt', created_at: Date.now(), version: 1 };
  const named = { ...plain, position: ['file', `Authorization: Bearer ${SECRET}`] };
  await cursors.save('c1', plain);
  await cursors.save('c2', named);
  expect(await cursors.load('c1')).toEqual(plain);
  expect(await cursors.load('c2')).toEqual(named);
  expect(await databaseCursors(db, Date.now).load('c1')).toEqual(plain);
  await db.close();
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(written.join('')).toContain('a.txt');
  expect(written.join('')).not.toContain(SECRET);
});
