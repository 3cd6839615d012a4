import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { KIND_NAMES } from '../disk/scan/node-kinds.ts';
import { meaningOf } from '../store/sql-table.ts';
import { describeTables, tablesGuide } from './describe-tables.ts';
import { sql } from './operations/sql.ts';
import { queryFunctions } from './process/query-functions.ts';
import { createSandbox } from './process/sandbox.ts';
import { TABLES } from './subjects.ts';

const MARK = '<!-- tables -->\n';
const file = join(import.meta.dirname, '../../docs/guide/sql.md');

test('the guide has the tables as they are declared; PINHOLE_WRITE=1 writes them', () => {
  const guide = readFileSync(file, 'utf8');
  const head = guide.slice(0, guide.indexOf(MARK) + MARK.length);
  const wanted = `${head}${tablesGuide()}\n`;
  if (process.env.PINHOLE_WRITE === '1') writeFileSync(file, wanted);
  else expect(guide).toBe(wanted);
});

test('the recipes of the guide compile', () => {
  const sandbox = createSandbox(TABLES, Object.keys(queryFunctions(() => ({ now: 0, zone: 'UTC' }))));
  const recipes = [...readFileSync(file, 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(
    ([, query = '']) => query,
  );
  expect(recipes.length).toBeGreaterThanOrEqual(10);
  for (const recipe of recipes) expect(sandbox.look(recipe).reads).not.toEqual({});
});

test('every column has a name and a type, and the description fits', () => {
  for (const { name, columns } of TABLES) {
    expect(name).toMatch(/^[a-z_]+$/);
    for (const column of Object.keys(columns)) expect(column).toMatch(/^[a-z_]+$/);
  }
  expect(encode(describeTables()).length).toBeLessThanOrEqual(270);
  expect(encode(sql.summary).length).toBeLessThanOrEqual(450);
});

test('values and units that agents had to guess are in the description and in the table of tables', () => {
  const meaning = (table: string, name: string) => {
    const column = TABLES.find((one) => one.name === table)?.columns[name];
    return column === undefined ? '' : meaningOf(column);
  };
  const kinds = KIND_NAMES.filter((kind) => kind !== 'dir');
  expect(sql.summary).toContain(
    'files.kind: file, symlink; size: NULL for further hard links; vcs=1: in .git.',
  );
  expect(sql.summary).toContain('refs.kind: call, import, type, other.');
  for (const kind of kinds) expect(meaning('files', 'kind')).toContain(kind);
  expect(meaning('files', 'kind')).toContain('not those of its target');
  expect(meaning('files', 'mode')).toContain("'4755'");
  expect(sql.summary).toContain('folders: all below; entries: direct.');
  expect(sql.summary).toContain('duplicates: above 0 bytes; wasted: per hash.');
  for (const column of ['copies', 'wasted'])
    expect(meaning('duplicates', column)).toContain('the same in each row of a group');
  expect(meaning('turns', 'complains')).toContain('guessed from English words');
});
