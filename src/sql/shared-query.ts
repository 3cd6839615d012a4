import { commitsDatabase } from '../commits/sql-database.ts';
import { PinholeError } from '../contract/errors.ts';
import { isInside } from '../contract/roots.ts';
import { localTimeText } from '../contract/zone.ts';
import type { GivenTable, SharedTables, SqlRows, SqlTable, SqlValue } from '../store/sql-table.ts';
import { readSqlite } from '../store/sqlite.ts';
import { foundEvents } from './found-events.ts';
import { explainMistake } from './process/explain-mistake.ts';
import { MAX_RESULT_BYTES, MAX_RESULT_ROWS } from './query-messages.ts';
import type { SqlContext } from './services.ts';
import { notOneSelect, type Token, tokensOf, withQuotedNames } from './statement.ts';
import { SUBJECTS, TABLES } from './subjects.ts';

/* Statements over tables in the team's database: PostgreSQL runs them, in its own dialect. */

const FUNCTIONS = ['ago', 'regexp', 'regexp_replace', 'snip', 'around', 'dirname', 'size'];
const HERE: ReadonlySet<string> = new Set([...SUBJECTS.code.tables, ...SUBJECTS.disk.tables].map(nameOf));
const THERE: ReadonlySet<string> = new Set(
  [...SUBJECTS.sessions.tables, ...SUBJECTS.commits.tables].map(nameOf).concat('found'),
);

function nameOf({ name }: SqlTable): string {
  return name;
}

/** The tables a statement seems to read: names after FROM, JOIN, commas and brackets. */
function tablesRead(tokens: readonly Token[]): readonly string[] {
  const names = tokens.flatMap(({ kind, value }, at) =>
    (kind === 'word' || kind === 'name') && /^(?:from|join|,|\()$/i.test(tokens[at - 1]?.value ?? '')
      ? [value.toLowerCase()]
      : [],
  );
  return [...new Set(names)].filter((name) => HERE.has(name) || THERE.has(name));
}

/** Whether the team's database must answer; throws if a statement also needs tables that only this node has. */
export function isShared(query: string): boolean {
  const read = tablesRead(tokensOf(query));
  const here = read.filter((name) => HERE.has(name));
  const there = read.filter((name) => THERE.has(name));
  if (here.length > 0 && there.length > 0)
    throw new PinholeError(
      'invalid_parameter',
      `${there.join(', ')} are in the database of the team and ${here.join(', ')} on this node, so one statement cannot read both. Ask two statements.`,
    );
  return there.length > 0;
}

export interface SharedStatement {
  readonly query: string;
  readonly find: string | undefined;
  readonly limitMs: number;
}

/** Runs one statement there; also returns notes for the answer. */
export async function runShared(
  shared: SharedTables,
  { query, find, limitMs }: SharedStatement,
  ctx: SqlContext,
  signal: AbortSignal,
): Promise<SqlRows & { readonly notes: readonly string[] }> {
  const tokens = tokensOf(query);
  const wrong = notOneSelect(tokens);
  if (wrong !== undefined) throw new PinholeError('invalid_parameter', wrong);
  const read = tablesRead(tokens);
  const { within, incomplete } = await ctx.sessions.database(signal, read);
  const commits = read.some((name) => name.startsWith('commit')) ? await commitTables(ctx, read) : undefined;
  const given = [
    ...(commits?.given ?? []),
    ...(read.includes('found') ? [await foundTable(ctx, find, signal)] : []),
  ];
  const notes = [incomplete, commits?.incomplete].flatMap((note) => note ?? []);
  const request = { query: withQuotedNames(query, tokens), now: ctx.now(), zone: ctx.zone, within, given };
  const most = { rows: MAX_RESULT_ROWS, bytes: MAX_RESULT_BYTES };
  try {
    const result = await shared.run({ ...request, limitMs, most, explain: ctx.caller.explain }, signal);
    return { ...result, notes };
  } catch (error) {
    throw explained(error, query, tokens);
  }
}

/**
 * Turns PostgreSQL's message for a mistake that both engines know into SQLite's, which is then explained in our words.
 */
function explained(error: unknown, query: string, tokens: readonly Token[]): unknown {
  if (!(error instanceof PinholeError) || error.code !== 'invalid_parameter') return error;
  const [, table] = /^Relation "(.+?)" does not exist/.exec(error.message) ?? [];
  const [, column] = /^Column "?([\w.]+)"? does not exist/.exec(error.message) ?? [];
  const [, near] = /^Syntax error at or near "(.+?)"/.exec(error.message) ?? [];
  const message =
    (table !== undefined && `no such table: ${table}`) ||
    (column !== undefined && `no such column: ${column}`) ||
    (near !== undefined && `near "${near}": syntax error`);
  if (!message) return error;
  const mistaken = { query, tokens, denied: undefined, tables: TABLES, functions: FUNCTIONS };
  const said = explainMistake(new Error(message), mistaken).message;
  return new PinholeError('invalid_parameter', `${said} This server speaks PostgreSQL's dialect.`, {
    cause: error,
  });
}

function tableNamed(name: string): SqlTable {
  const table = TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

async function foundTable(
  ctx: SqlContext,
  find: string | undefined,
  signal: AbortSignal,
): Promise<GivenTable> {
  const time = localTimeText(ctx.zone);
  const { found } = find === undefined ? { found: [] } : await foundEvents(ctx.sessions, find, signal);
  return {
    table: tableNamed('found'),
    rows: found.map(({ session, event, turn, ms, type, text }) => [
      ...[session, event, turn, time(Math.floor(ms / 1000)), type, text],
    ]),
  };
}

/** The file of this node has the long session ids; only sessions that the caller may see are named. */
const SESSIONS_OF_COMMITS = [
  `UPDATE commits SET session = s.id FROM sessions s WHERE s.full_id = commits.session`,
  `UPDATE commits SET session = NULL, certainty = NULL, reasons = NULL
   WHERE session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = commits.session)`,
];

/** Commits are read from the repositories of this node. */
async function commitTables(
  ctx: SqlContext,
  read: readonly string[],
): Promise<{ readonly given: readonly GivenTable[]; readonly incomplete: string | undefined }> {
  const { file, within = [], incomplete } = await commitsDatabase(ctx);
  const time = localTimeText(ctx.zone);
  const given = SUBJECTS.commits.tables
    .filter(({ name }) => read.includes(name))
    .map((table): GivenTable => {
      const names = Object.entries(table.columns);
      const select = table.select
        .replaceAll('{db}.', '')
        // Commits known only from git's output come from the sessions, which are not in this file.
        .replace(/\s+UNION ALL[\s\S]*$/, '')
        .replaceAll('s.short', 'l.session')
        .replace(/LEFT JOIN \{sessions\}\.sessions s ON [\w. =]+$/, '');
      const rows =
        file === undefined ? [] : readSqlite(file, (all) => all(select)).map((row) => Object.values(row));
      const seen = rows.filter(([root]) => within.some((folder) => isInside(String(root), folder)));
      const shown = (value: unknown, type: string): SqlValue => {
        if (value === null || value === undefined) return null;
        if (type === 'time') return time(Math.floor(Number(value) / 1000));
        return typeof value === 'number' ? value : String(value);
      };
      return {
        table,
        rows: seen.map((row) => row.map((value, at) => shown(value, names[at]?.[1].type ?? 'text'))),
        completed: table.name === 'commits' ? SESSIONS_OF_COMMITS : [],
      };
    });
  return { given, incomplete };
}
