import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import type { Migration } from './database.ts';
import { openDurable } from './durable-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const SCHEMA: readonly Migration[] = [{ id: 1, name: 'first', sql: 'CREATE TABLE notes (note TEXT)' }];

function makePlace() {
  const folder = temporaryFolder();
  const file = join(folder, 'notes.db');
  const logged: string[] = [];
  return {
    file,
    logged,
    files: () => readdirSync(folder).sort(),
    /** How far the clock is ahead. */
    aheadMs: 0,
    open() {
      const now = () => Date.now() + this.aheadMs;
      return openDurable(file, SCHEMA, { log: (line) => logged.push(line), now });
    },
    /** Opens, writes and closes. */
    async note(text: string) {
      const db = await this.open();
      await db.run('INSERT INTO notes VALUES (?)', text);
      await db.close();
    },
    async notes() {
      const db = await this.open();
      const rows = await db.all('SELECT note FROM notes');
      await db.close();
      return rows.map(({ note }) => note);
    },
  };
}

test.each([
  ['emptied', (file: string) => truncateSync(file, 0)],
  ['cut short', (file: string) => truncateSync(file, 3_000)],
  ['overwritten at its head', (file: string) => writeFileSync(file, Buffer.alloc(4_096, 7), { flag: 'r+' })],
  ['something else', (file: string) => writeFileSync(file, 'not a database at all'.repeat(100))],
])('a database that is %s is set aside, and its newest copy is used', async (_kind, damage) => {
  const place = makePlace();
  await place.note('one');
  await place.note('two');
  damage(place.file);
  const damaged = readFileSync(place.file);
  expect(await place.notes()).toEqual(['one', 'two']);
  const aside = place.files().find((name) => name.startsWith('notes.db.damaged-')) ?? '';
  expect(readFileSync(join(place.file, '..', aside))).toEqual(damaged);
  expect(place.logged).toEqual([
    expect.stringMatching(/^\S+notes\.db was damaged and is now \S+\. A copy of /),
  ]);
});

test('a damaged copy is passed over; without any good one the database is empty, and the log says so', async () => {
  const place = makePlace();
  await place.note('one');
  place.aheadMs = 2 * HOUR_MS;
  await place.note('two');
  for (const name of ['notes.db', 'notes.db.backup-1'])
    writeFileSync(join(place.file, '..', name), 'x'.repeat(5_000));
  expect(await place.notes()).toEqual(['one']);
  for (const name of place.files()) writeFileSync(join(place.file, '..', name), 'x'.repeat(5_000));
  expect(await place.notes()).toEqual([]);
  expect(place.logged.at(-1)).toContain('no good copy');
});

test('three copies are kept, and only this user can read them', async () => {
  const place = makePlace();
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    place.aheadMs += 2 * HOUR_MS;
    await place.note(text);
  }
  const copies = place.files().filter((name) => name.includes('backup'));
  expect(copies).toEqual(['notes.db.backup-1', 'notes.db.backup-2', 'notes.db.backup-3']);
  for (const name of copies) expect(statSync(join(place.file, '..', name)).mode & 0o077).toBe(0);
});

test('processes that end soon after each other leave older copies alone', async () => {
  const place = makePlace();
  await place.note('one');
  place.aheadMs = 2 * HOUR_MS;
  await place.note('two');
  place.aheadMs = 0;
  const older = ['notes.db.backup-2', 'notes.db.backup-3'].map((name) => join(place.file, '..', name));
  const before = older.map((path) => readFileSync(path));
  for (const text of ['three', 'four', 'five', 'six']) await place.note(text);
  expect(older.map((path) => readFileSync(path))).toEqual(before);
  // The newest copy has everything.
  writeFileSync(place.file, 'x'.repeat(5_000));
  expect(await place.notes()).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

test('what was written reaches the main file while the database is open', async () => {
  const place = makePlace();
  const db = await place.open();
  for (let n = 0; n < 100; n++) await db.run('INSERT INTO notes VALUES (?)', `note ${n}`);
  // Without its write-ahead log, as if that were damaged.
  const copy = join(temporaryFolder(), 'main-file.db');
  execFileSync('cp', [place.file, copy]);
  await db.close();
  const kept = await openDurable(copy, SCHEMA, { log: () => {}, now: Date.now });
  const rows = await kept.all('SELECT count(*) AS n FROM notes');
  await kept.close();
  expect(Number(rows[0]?.n)).toBeGreaterThan(80);
});
