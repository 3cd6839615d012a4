import { expect, test } from 'vitest';
import {
  comparedTexts,
  namesLimit,
  notOneSelect,
  statementsOf,
  tokensOf,
  withQuotedText,
} from './statement.ts';

test('tokens of a statement, without comments and quotes', () => {
  const sql = 'select [a b], `c`, "d""e" -- x\n from \'it\'\'s\' /* y */;';
  expect(tokensOf(sql).map(({ kind, value }) => [kind, value])).toEqual([
    ['word', 'select'],
    ['name', 'a b'],
    ['other', ','],
    ['name', 'c'],
    ['other', ','],
    ['name', 'd"e'],
    ['word', 'from'],
    ['text', "it's"],
    ['other', ';'],
  ]);
  expect(tokensOf("select 'open").at(-1)).toEqual({ kind: 'text', value: 'open', at: 7 });
});

test('statements are separated by semicolons outside of texts', () => {
  expect(statementsOf("select ';' ; select 2;\n-- end")).toEqual(["select ';' ", ' select 2']);
  expect(statementsOf('select 1;')).toEqual(['select 1;']);
  expect(statementsOf('')).toEqual(['']);
});

test.each([
  ['select 1', undefined],
  ["select ';'", undefined],
  ['select 1 ; -- end', undefined],
  ['select 1; select 2', /one statement/],
  ['drop table x', /^sql is read-only: DROP/],
  ['hello', /must begin with SELECT/],
  ['  ', /empty/],
])('%s', (sql, wrong) => {
  const found = notOneSelect(tokensOf(sql));
  if (wrong === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(wrong);
});

test.each([
  ['select 1 limit 5', true],
  ['SELECT 1 LIMIT 5 OFFSET 2', true],
  ['with a as (select 1 limit 5) select * from a', false],
  ['select \'limit\', "limit" from (select 1 limit 3) -- limit 9', false],
])('%s names a limit: %s', (query, named) => {
  expect(namesLimit(query)).toBe(named);
});

test.each([
  ["path like '/usr/%' and name = 'x' and '/a' < path", ['/usr/%', 'x', '/a']],
  ["folder in ('/usr/lib', '/usr/share')", ['/usr/lib', '/usr/share']],
  ["path like d.path || '/node_modules/%' or path like '/a' || name", []],
  ["instr(path, '/node_modules/') > 0 and replace(path, '/usr', '') glob '/x*'", ['/x*']],
  ["path between '/a' and '/b'", ['/a', '/b']],
  ["with r(p) as (values ('/usr'), ('/opt')) select '/label', * from r", ['/usr', '/opt']],
])('%s compares with %j', (condition, texts) => {
  expect(comparedTexts(tokensOf(condition))).toEqual(texts);
});

test.each([
  [`select 1 where a = "x y"`, 'x y', `select 1 where a = 'x y'`],
  [`select 1 where a regexp "it's ""n""" and b`, `it's "n"`, `select 1 where a regexp 'it''s "n"' and b`],
  [`select 1 where a in ("x", "y")`, 'y', `select 1 where a in ("x", 'y')`],
  [`select "x" from t`, 'x', undefined],
  [`select a, "x" from t where a = "x"`, 'x', undefined],
  [`select 1 where a in (select "x" from t)`, 'x', undefined],
])('%s: %s is a text', (query, text, expected) => {
  expect(withQuotedText(query, text)).toBe(expected);
});
