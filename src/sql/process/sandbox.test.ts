import { expect, test } from 'vitest';
import { REFUSED } from '../hostile.fixture.ts';
import { TABLES } from '../subjects.ts';
import { queryFunctions } from './query-functions.ts';
import { createSandbox } from './sandbox.ts';

const sandbox = createSandbox(TABLES, Object.keys(queryFunctions(() => ({ now: 0, zone: 'UTC' }))));
const mistake = (query: string) => {
  try {
    sandbox.look(query);
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

test.each(REFUSED.map((query) => [query.slice(0, 100), query]))('refused: %s', (_, query) => {
  expect(mistake(query)).toMatch(/^QueryMistake: ./);
});

test.each([
  'select 1',
  'select 1;',
  ' -- first\n select 1 ;; ',
  "values (1, 'a'), (2, 'b')",
  'with x as (select 1 as a) select a from x',
  'with x as (select path from files) select count(*) from x',
  'select count(*) from (select path from files)',
  'with recursive c(x) as (select 1 union all select x + 1 from c limit 10) select count(*) from c',
  "select value from json_each('[1, 2]')",
  "select path from files where name regexp '^a' and size > 10 order by size desc limit 5",
  'select ext, count(*), rank() over (order by count(*) desc) from files group by 1',
  "select strftime('%Y', modified), median(size) from files group by 1",
  "select 'sqlite_master; drop table x'",
  'select f.path from files f join folders d on d.path = f.folder',
])('allowed: %s', (query) => {
  expect(mistake(query)).toBe('allowed');
});

test('a query is known by the tables and columns it reads', () => {
  expect(sandbox.look('select f.path, size(f.size) from files f where target is not null').reads).toEqual({
    files: ['path', 'size', 'target'],
  });
  expect(sandbox.look('select count(*) from folders').reads).toEqual({ folders: [] });
  expect(sandbox.look('select 1').reads).toEqual({});
  expect(sandbox.look('select count(*) from edits join files f using (path) where f.broken').reads).toEqual({
    edits: ['path'],
    files: ['broken', 'path'],
  });
  expect(sandbox.look('select count(*) from found natural join calls').reads).toMatchObject({
    found: [],
    calls: [],
  });
});

test('columns with reserved names need no quotes', () => {
  expect(sandbox.look("select table, column from tables where table = 'table'").runnable).toBe(
    'select "table", column from tables where "table" = \'table\'',
  );
  expect(sandbox.look("select check, c.check from calls c where check = 'test'").reads).toEqual({
    calls: ['check'],
  });
});

test('mistakes say what would be right', () => {
  expect(mistake('select pth from folders')).toBe(
    "QueryMistake: No column 'pth'. folders: path, depth, vcs, name, root, size, owner, files, folder, newest, entries, folders, modified, disk_size.",
  );
  expect(mistake('select target from folders')).toMatch(/It is in calls, files\.$/);
  expect(mistake('select path from file')).toMatch(/^QueryMistake: No table 'file'\. Tables: files, /);
  expect(mistake('select path from files where name = "a"')).toBe(
    'QueryMistake: No column "a". Write text in single quotes: \'a\'.',
  );
  expect(mistake('select path frm files')).toBe(
    "QueryMistake: Syntax error near 'files' (character 17), after 'select path frm'.",
  );
  expect(mistake('select path from files join folders using (name)')).toBe(
    "QueryMistake: Column 'path' is in several tables here. Write TABLE.path.",
  );
  expect(mistake('delete from files')).toBe(
    'QueryMistake: sql is read-only: DELETE is refused. Write one SELECT.',
  );
  expect(mistake('with x as (select 1) delete from files')).toBe(
    'QueryMistake: sql is read-only. Write one SELECT.',
  );
  expect(mistake('select nosuch(1)')).toMatch(/^QueryMistake: No function 'nosuch'\./);
});
