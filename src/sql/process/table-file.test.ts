import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support.ts';
import { createTableFile } from './table-file.ts';

const INTEGERS = [
  0,
  1,
  2,
  127,
  128,
  32_767,
  32_768,
  2 ** 23 - 1,
  2 ** 23,
  2 ** 31,
  2 ** 32 + 5,
  2 ** 47,
  2 ** 53 - 1,
];

test('SQLite reads what was written, over several levels of pages', () => {
  const file = join(temporaryFolder(), 'rows.db');
  const written = createTableFile(file);
  const values = written.table(
    'CREATE TABLE kinds (id INTEGER PRIMARY KEY, number INTEGER, words TEXT, absent TEXT)',
  );
  for (const [i, number] of INTEGERS.entries())
    values.row(2 ** 32 * 3 + i, (row) => {
      row.null();
      row.integer(number);
      row.text(`ünï ${'x'.repeat(i * 700)}`);
      row.null();
    });
  const many = written.table('CREATE TABLE many (id INTEGER PRIMARY KEY, name TEXT)');
  const name = Buffer.from('some name');
  for (let i = 1; i <= 60_000; i++)
    many.row(i * 7, (row) => {
      row.null();
      row.ascii(name, 0, name.length);
    });
  const empty = written.table('CREATE TABLE empty (id INTEGER PRIMARY KEY)');
  expect(
    empty.row(1, (row) => {
      row.null();
      row.text('y'.repeat(70_000));
    }),
  ).toBe(false);
  const long = written.table('CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT)');
  for (let i = 1; i <= 20_000; i++)
    long.row(i, (row) => {
      row.null();
      row.text(i === 1 ? 'z'.repeat(60_000) : 'short');
    });
  written.close();
  const db = new DatabaseSync(file, { readOnly: true });
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(db.prepare('SELECT * FROM kinds').all()).toEqual(
    INTEGERS.map((number, i) => ({
      id: 2 ** 32 * 3 + i,
      number,
      words: `ünï ${'x'.repeat(i * 700)}`,
      absent: null,
    })),
  );
  expect(db.prepare('SELECT count(*) n, min(id) low, max(id) high, min(name) name FROM many').all()).toEqual([
    { n: 60_000, low: 7, high: 420_000, name: 'some name' },
  ]);
  expect(db.prepare('SELECT id FROM many WHERE id = 210000').all()).toEqual([{ id: 210_000 }]);
  expect(db.prepare('SELECT count(*) n FROM empty').all()).toEqual([{ n: 0 }]);
  expect(db.prepare('SELECT length(text) n FROM long WHERE id IN (1, 19999)').all()).toEqual([
    { n: 60_000 },
    { n: 5 },
  ]);
  db.close();
});

test('text that is not ASCII is left to the caller', () => {
  const written = createTableFile(join(temporaryFolder(), 'rows.db'));
  const table = written.table('CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)');
  const bytes = Buffer.from('näme');
  table.row(1, (row) => {
    row.null();
    expect(row.ascii(bytes, 0, bytes.length)).toBe(false);
    row.text('näme');
  });
  written.close();
});
