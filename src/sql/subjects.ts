import { CODE_TABLES } from '../code/tables.ts';
import { COMMIT_TABLES } from '../commits/tables.ts';
import { DISK_TABLES } from '../disk/tables.ts';
import { SESSION_TABLES } from '../sessions/tables.ts';
import type { SqlSubject, SqlTable } from '../store/sql-table.ts';

export type Subject = 'sessions' | 'commits' | 'code' | 'disk';

/** What each subject contributes to `sql`. */
export const SUBJECTS: Readonly<Record<Subject, SqlSubject>> = {
  sessions: SESSION_TABLES,
  commits: COMMIT_TABLES,
  code: CODE_TABLES,
  disk: { tables: DISK_TABLES },
};

/** Filled before a query runs, from its `find`. */
const FOUND: SqlTable = {
  name: 'found',
  row: 'event that `find` found',
  columns: {
    session: { type: 'text', meaning: 'id of the session' },
    event: { type: 'integer', meaning: 'number of the event in the session' },
    turn: { type: 'integer', meaning: 'number of the turn' },
    at: { type: 'time', meaning: 'when it happened' },
    type: {
      type: 'text',
      meaning: 'user, message, reasoning, tool_call, tool_result, interrupt, …',
      rare: true,
    },
    text: { type: 'text', meaning: '200 characters with the match in the middle' },
  },
  select: 'SELECT session, event, turn, at, type, text FROM {db}.found_rows',
};

/** The tables themselves, as rows. */
const LISTING: SqlTable = {
  name: 'tables',
  row: 'column of a table',
  columns: {
    table: { type: 'text', meaning: 'name of the table' },
    column: { type: 'text', meaning: 'name of the column' },
    type: { type: 'text', meaning: 'text, integer, real or time', rare: true },
    meaning: { type: 'text', meaning: 'what it holds' },
  },
  select: 'SELECT "table", "column", type, meaning FROM {db}.table_rows',
};

/** The tables that belong to no subject. */
export const OWN_TABLES: readonly SqlTable[] = [FOUND, LISTING];

/** Every table that a query can read, in listing order. */
export const TABLES: readonly SqlTable[] = [
  ...Object.values(SUBJECTS).flatMap(({ tables }) => tables),
  ...OWN_TABLES,
];

/** The subjects that some tables belong to. */
export function subjectsOf(names: readonly string[]): ReadonlySet<Subject> {
  const found = new Set<Subject>();
  for (const subject of ['sessions', 'commits', 'code', 'disk'] as const)
    if (SUBJECTS[subject].tables.some(({ name }) => names.includes(name))) found.add(subject);
  // Commits name the sessions they come from.
  if (found.has('commits')) found.add('sessions');
  return found;
}
