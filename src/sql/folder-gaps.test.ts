import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { unreadFolders, unreadNote } from './folder-gaps.ts';
import { tokensOf } from './statement.ts';

const folder = temporaryFolder();
mkdirSync(join(folder, 'src'));
const FILES = { files: ['path'] };
const unread = (where: string, reads: Record<string, string[]> = FILES, imported: string[] = []) =>
  unreadFolders(tokensOf(`select count(*) from files ${where}`), reads, [folder], imported);

test.each([
  "where path glob '/usr/lib/*'",
  "where root = '/usr' and size > 5 order by path limit 3",
  "where f.path like '/usr/%' or f.path like '/opt/%'",
  "where root in ('/usr', '/opt') and name not like 'a%'",
  "where path > '/usr/' and path < '/usr0'",
  "where path like '/usr/%' and path not like '/usr/lib/%'",
  "where dirname(path, 2) = '/usr/lib'",
])('every row must be in a refused folder: %s', (where) => {
  expect(unread(where).isRefused).toBe(true);
});

test.each([
  "where path like '/usr/%' or size > 5",
  "where not (path like '/usr/%')",
  "where size > 5 order by path like '/usr/%'",
  "where size > 5 and case when path like '/usr/%' then 0 else 1 end",
  "union all select count(*) from files where path like '/usr/%'",
])('other rows may come too: %s', (where) => {
  expect(unread(where)).toEqual({ refused: ['/usr'], missing: [], isRefused: false });
});

test.each([
  "where path not like '/usr/%'",
  "where root <> '/usr' and root != '/opt'",
  "where target like '/usr/%'",
  'where size > 5',
])('no folder outside is meant: %s', (where) => {
  expect(unread(where)).toEqual({ refused: [], missing: [], isRefused: false });
});

test('rows of other subjects are not refused', () => {
  const where = "join edits using (path) where path like '/usr/%'";
  expect(unread(where, { ...FILES, edits: ['path'] })).toMatchObject({ refused: ['/usr'], isRefused: false });
  expect(unread(where, { edits: ['path'] }).refused).toEqual([]);
});

test('folders that are refused and folders that do not exist are named in a line', () => {
  const paths = ['/usr', '/usr/lib', `${folder}/src`, `${folder}/srcc`];
  const both = unread(`where root in (${paths.map((path) => `'${path}'`).join()})`);
  expect(both.isRefused).toBe(false);
  expect(unreadNote(both)).toBe(`Without /usr (refused). Nothing exists at ${folder}/srcc.`);
  expect(unreadNote(unread(`where path like '${folder}/src/a%'`))).toBeUndefined();
  expect(unreadNote(unread(`where path > '${folder}/b' and path < '${folder}/c'`))).toBeUndefined();
});

test('folders of an imported index are elsewhere', () => {
  expect(unread("where path like '/far/away/%'", FILES, ['/far'])).toMatchObject({
    refused: [],
    missing: [],
  });
});
