import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld } from '../../test/world.ts';
import { withFolderNames } from './process/folder-names.ts';
import { withPlainTests } from './process/plain-tests.ts';
import type { QueryRequest } from './query-messages.ts';
import { createQueryProcesses } from './query-processes.ts';

/* Queries that are rewritten to be faster have the rows and columns that the plain functions give. */

/** `PINHOLE_SQL_STATEMENTS=10000` tries more. */
const TRIES = Number(process.env.PINHOLE_SQL_STATEMENTS ?? 100);

const processes = createQueryProcesses();
afterAll(() => processes.close());
const { signal } = new AbortController();

let base: Omit<QueryRequest, 'query' | 'reads'>;
beforeAll(async () => {
  const { app } = await openWorld();
  const indexes = await app.services.disk.indexes.list();
  base = {
    now: Date.now(),
    zone: 'UTC',
    settings: { prices: {} },
    databases: {},
    disk: indexes.map((index) => {
      const folder = app.services.disk.indexes.folderOf(index);
      return { id: index.id, file: join(folder, 'tree.idx'), growthFolder: folder, version: '1' };
    }),
    found: [],
  };
});

async function rowsOf(query: string) {
  try {
    const { reads } = await processes.look(query, signal);
    const { columns, computed, rows } = await processes.run({ ...base, query, reads }, signal);
    return { columns, computed, rows };
  } catch (error) {
    return String(error);
  }
}

const parts = fc.constantFrom('', ', -2', ', -1', ', 0', ', 1', ', 2', ', 3', ', 7', ', 99');
const bases = fc.constantFrom('', ", '/'", ", ''", ", '/tmp'", ", '/tmp/x/'", ', root');
const call = fc.tuple(parts, bases).map(([n, below]) => (n === '' ? '' : `${n}${below}`));
const shapes = [
  (a: string) => `select dirname(path${a}), count(*), sum(size) from files group by 1 order by 1`,
  (a: string) => `select path, dirname(path${a}) d from files order by path`,
  (a: string, b: string) =>
    `select f.name, dirname(f.path${a.replace('root', 'f.root')}) from files f join folders d on d.path = f.folder where dirname(f.path${b.replace('root', 'f.root')}) != d.name order by f.path`,
  (a: string) =>
    `with t as (select dirname(path${a}) d, ext from files where size > 0) select *, count(*) from t group by d, ext order by 1, 2`,
  (a: string, b: string) =>
    `select dirname(path${a}) as path, dirname(path${b}) from files where dirname(path${a}) like '%s%' order by 1, 2, name`,
  (a: string, b: string) =>
    `select count(*), max((select dirname(f.path${b.replace('root', 'f.root')}) from folders d where d.path = f.folder)) from files f group by dirname(f.path${a.replace('root', 'f.root')}) order by 1, 2`,
];

test('dirname of files', { timeout: 3_600_000 }, async () => {
  let rewritten = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shapes), call, call, async (shape, a, b) => {
      const query = shape(a, b);
      rewritten += Number(withFolderNames(query).names.length > 0);
      // A call of something other than a column is never rewritten.
      const plain = query.replaceAll(/dirname\((f\.)?path/g, "dirname($1path || ''");
      const [fast, slow] = [await rowsOf(query), await rowsOf(plain)];
      expect(typeof fast).toBe('object');
      if (typeof slow === 'string' || typeof fast === 'string') return expect(fast).toBe(slow);
      expect({ ...fast, columns: [] }).toEqual({ ...slow, columns: [] });
      expect(fast.columns.map((name) => name.replace(/(?<=path)/, " || ''"))).toEqual(
        slow.columns.map((name) => (name === 'path' ? "path || ''" : name)),
      );
    }),
    { numRuns: TRIES },
  );
  expect(rewritten).toBeGreaterThan(TRIES / 2);
});

const piece = fc.constantFrom(
  ...[
    'src',
    'Src',
    'index',
    'test',
    '.',
    '\\.',
    '.*',
    '[a-z]+',
    '(a|b)',
    '^',
    '$',
    '|',
    'x?',
    'ts',
    'k',
    'S',
    '_',
  ],
  ...[
    '%',
    '\\w',
    '{2}',
    '(?i)',
    'É',
    'é',
    'ß',
    "''",
    '-',
    '/',
    '\\d+',
    '[^.]',
    '(?:md|json)',
    '\\b',
    'README',
  ],
);

test('regexp', { timeout: 3_600_000 }, async () => {
  let rewritten = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('name', 'path', 'f.ext', 'f.folder'),
      fc.constantFrom('', 'not '),
      fc.constantFrom('', 'and size > 100', "or name regexp 'a'"),
      async (pieces, column, not, more) => {
        const select = 'select path, size from files f where';
        const query = `${select} ${not}${column} regexp '${pieces.join('')}' ${more} order by path`;
        rewritten += Number(withPlainTests(query) !== query);
        const plain = `${select} ${not}regexp('${pieces.join('')}', ${column}) ${more.replace("name regexp 'a'", "regexp('a', name)")} order by path`;
        expect(await rowsOf(query)).toEqual(await rowsOf(plain));
      },
    ),
    { numRuns: TRIES },
  );
  expect(rewritten).toBeGreaterThan(TRIES / 5);
});
