import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withPlainTests } from './plain-tests.ts';
import { queryFunctions } from './query-functions.ts';

test.each([
  [
    "select 1 from files where name regexp '^index_.*zz'",
    "select 1 from files where ((name LIKE '%index\\_%' ESCAPE '\\') AND name regexp '^index_.*zz')",
  ],
  [
    "select 1 from files f where not f.name REGEXP 'Read|Write' limit 3",
    "select 1 from files f where not ((f.name LIKE '%Read%' ESCAPE '\\' OR f.name LIKE '%Write%' ESCAPE '\\') AND f.name REGEXP 'Read|Write') limit 3",
  ],
])('a test by LIKE in front of %s', (query, tested) => {
  expect(withPlainTests(query)).toBe(tested);
});

test.each([
  "select 1 from files where name not regexp 'abc'",
  "select 1 from files where a = name regexp 'abc'",
  "select 1 from files where name regexp 'a' || 'bc'",
  "select 1 from files where lower(name) regexp 'abc'",
  "select 1 from files where name regexp '[a-z]+'",
  "select 1 from files where name regexp '(' ",
])('%s stays as it is', (query) => {
  expect(withPlainTests(query)).toBe(query);
});

test('the rows are the same', () => {
  const db = new DatabaseSync(':memory:');
  const { regexp } = queryFunctions(() => ({ now: 0, zone: 'UTC' }));
  if (regexp !== undefined) db.function('regexp', { varargs: true, deterministic: true }, regexp);
  const names = [
    "o'ne_%",
    'Index_AZZ.ts',
    'index_zz',
    'ſafe',
    'Kelvin',
    'task\nindex',
    null,
    '',
    'ÄRGER',
    'ärger',
  ];
  db.exec('CREATE TABLE files (name TEXT)');
  for (const name of names) db.prepare('INSERT INTO files VALUES (?)').run(name);
  const parts = fc.constantFrom(
    'index',
    'Index',
    '_',
    'zz',
    '.*',
    'safe',
    'kelvin',
    'ärger',
    '|',
    '%',
    "''",
    '^',
    'ask',
    'k?',
  );
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 4 }), fc.boolean(), (pieces, not) => {
      const query = `select name from files where ${not ? 'not ' : ''}name regexp '${pieces.join('')}'`;
      const rows = (sql: string) => {
        try {
          return db.prepare(sql).all();
        } catch (error) {
          return String(error);
        }
      };
      expect(rows(withPlainTests(query))).toEqual(rows(query));
    }),
  );
});
