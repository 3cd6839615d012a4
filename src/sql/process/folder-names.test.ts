import { expect, test } from 'vitest';
import { FILES_BY_FOLDER, withFolderNames } from './folder-names.ts';

const TABLE = `[${FILES_BY_FOLDER}]`;

test.each([
  [
    'select dirname(path, 2), sum(size) from files group by 1',
    `select [dirname 2], sum(size) from ${TABLE} AS files group by 1`,
  ],
  [
    'select count(distinct DIRNAME("path")) from "files" f where f.size > 1',
    `select count(distinct [dirname -1]) from ${TABLE} f where f.size > 1`,
  ],
  [
    "select dirname(f.path, 1, '/a') d from folders d join files as f on d.path = f.folder where dirname(f.path, -2) = '/b'",
    `select f.[dirname 1 2f61] d from folders d join ${TABLE} as f on d.path = f.folder where f.[dirname -2] = '/b'`,
  ],
  [
    'with t as (select dirname(path, 1, root) d, size from files) select *, (select dirname(path, 2) from edits) from t',
    `with t as (select [dirname 1 root] d, size from ${TABLE} AS files) select *, (select dirname(path, 2) from edits) from t`,
  ],
  [
    'select path from edits union all select dirname(path, 3) from files limit 3',
    `select path from edits union all select [dirname 3] from ${TABLE} AS files limit 3`,
  ],
])('%s reads a column', (query, rewritten) => {
  expect(withFolderNames(query).query).toBe(rewritten);
});

test.each([
  'select dirname(path, 2) from edits',
  'select dirname(path, 2) from files, edits',
  'select dirname(path, 2) from files f left join edits e using (path)',
  'select dirname(e.path, 2) from files f join edits e on e.path = f.path',
  'select dirname(name, 2), dirname(path, size), dirname(path, 2.5), dirname(path || 1, 2) from files',
  'select dirname(path, 2), * from files',
  'select f.*, dirname(f.path, 2) from files f',
  'with files as (select 1 as path) select dirname(path, 2) from files',
  'with "files"(path) as (values (1)) select dirname(path, 2) from files',
  'select (select dirname(path, 2)) from files',
  'select (select dirname(path, 2) union select path from files) from edits',
  'select (select dirname(path, 2) from (select 1 as path)) from files',
  "select 'dirname(path, 2) from files', dirname('path', 2) from files",
  'select dirname(a.path, 2) from edits a where exists (select 1 from files a)',
  'select dirname(path, 1), dirname(path, 2), dirname(path, 3), dirname(path, 4), dirname(path, 5) from files',
])('%s stays as it is', (query) => {
  expect(withFolderNames(query)).toEqual({ query, names: [] });
});
