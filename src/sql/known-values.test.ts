import { expect, test } from 'vitest';
import { meaningOf } from '../store/sql-table.ts';
import { impossibleValues, KNOWN_VALUES } from './known-values.ts';
import { tokensOf } from './statement.ts';

const files = { files: ['path', 'kind'] };
const notes = (query: string, reads: Record<string, string[]> = files) =>
  impossibleValues(tokensOf(query), reads);

test('a value that a column never has is named, with those that it has', () => {
  const note = "files.kind is never 'link', but one of file, symlink, other.";
  expect(notes("select path from files where kind = 'link'")).toEqual([note]);
  expect(notes("select sum(f.kind = 'link'), sum(f.kind = 'link') from files f")).toEqual([note]);
  expect(notes("select path from files where kind in ('file', 'link')")).toEqual([note]);
});

test('an extension with a dot is named without it', () => {
  const reads = { files: ['path', 'ext'] };
  expect(notes("select path from files where ext in ('.jpg', 'png')", reads)).toEqual([
    "files.ext has no dot: 'jpg'.",
  ]);
});

test.each([
  "select path from files where kind = 'symlink'",
  "select path from files where kind in ('file', 'other') and path = 'link'",
  "select path from files where kind in (select 'link')",
  "select path from files where kind <> 'link' or kind like 'link'",
  "select 'link' kind from files where path = kind",
])('%s is not complained about', (query) => {
  expect(notes(query)).toEqual([]);
});

test('nothing is said where the column may be that of another table, or is not read', () => {
  const query = "select 1 from files, calls where kind = 'link'";
  expect(notes(query, { files: ['kind'], calls: ['kind'] })).toEqual([]);
  expect(notes("select 'x' kind from files", { files: ['path'] })).toEqual([]);
});

test('the meaning of a column begins with its values, and its own words are not read as values', () => {
  const values = ['ok', 'failed'];
  expect(meaningOf({ type: 'text', values, meaning: 'NULL while it runs' })).toBe(
    'ok, failed; NULL while it runs',
  );
  expect(meaningOf({ type: 'text', values, meaning: '' })).toBe('ok, failed');
  expect(meaningOf({ type: 'text', meaning: 'one, two' })).toBe('one, two');
});

test('the columns with a list of values', () => {
  expect(Object.keys(KNOWN_VALUES).sort()).toEqual([
    'calls.check',
    'calls.kind',
    'calls.status',
    'commands.status',
    'commits.certainty',
    'edits.action',
    'edits.status',
    'failures.kind',
    'files.kind',
    'findings.severity',
    'messages.role',
    'refs.kind',
    'sessions.agent',
    'sessions.ending',
    'stops.kind',
    'symbols.kind',
    'turns.outcome',
  ]);
});
