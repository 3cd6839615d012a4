import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { redact } from '../../contract/redact.ts';
import { longestCells, shownCells, tableText } from '../cell-text.ts';
import { COMMON_COLUMNS, describeTables } from '../describe-tables.ts';
import type { Cell } from '../query-messages.ts';
import type { SqlServices } from '../services.ts';
import { type SharingTable, sharedRows, shownRows, type TableRow } from '../shared-rows.ts';
import type { SqlTableAnswer } from '../sql.ts';
import { namesLimit, statementsOf } from '../statement.ts';

const MAX_STATEMENTS = 20;
/** The share of an answer that an agent gets for statements without LIMIT. */
const SHARE_WITHOUT_LIMIT = 1 / 2;

const tableData = {
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).describe('cells; null for NULL'),
  statement: z.number().optional().describe('which of several statements, from 1; on later pages'),
  from: z.number().optional().describe('its first row here, from 1; on later pages'),
  left: z.number().optional().describe('rows of this one of several tables on later pages'),
  error: z.string().optional().describe('why one of several statements has no table'),
  unread: z.string().optional().describe('which of the folders it names were not read'),
};

const sqlData = z.object({
  notes: z.array(z.string()).optional().describe('what is missing or old'),
  ...tableData,
  further: z.array(z.object(tableData)).optional().describe('the tables of further statements'),
});

type SqlData = ReadonlyData<typeof sqlData>;
type Table = Omit<SqlData, 'notes' | 'further'>;

const sqlInput = z.strictObject({
  query: z.string().min(1).max(20_000).describe('a SELECT, or several separated by semicolons'),
  find: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('text, a OR b, or /regex/ in session logs; fills the table found'),
});

export const sql = operation<SqlServices>()({
  name: 'sql',
  toolset: 'every',
  readOnly: true,
  summary: `SQLite over agent sessions, code, disks. ${MAX_STATEMENTS} SELECTs with ;. Indexes folders it names. Absolute paths; local times: at > ago('7d'). Also regexp, snip(text,n), around(text,word,n), dirname(path,2)='/a/b'. A text selected alone is whole. ": as above. Tables (*: also ${COMMON_COLUMNS}): ${describeTables()}. calls.kind: read, edit, search, execute, agent, web; status: ok, failed, rejected, cancelled, pending, unknown; program: git commit; check: test, build, lint, typecheck. failures.fixed: next pass. refs.kind: call, import, type, other. files.kind: file, symlink; size: NULL for further hard links; vcs=1: in .git. folders: all below; entries: direct. duplicates: above 0 bytes; wasted: per hash.`,
  input: sqlInput,
  limit: { default: 200, max: 10_000 },
  data: sqlData,
  rows: 'rows',
  explains: true,
  aliases: { sql: 'query', q: 'query', statement: 'query', search: 'find' },
  // `pinhole sql` is a separate command, with a prompt and tables for terminals.
  http: ['GET /api/sql', 'POST /api/sql'],
  async run({ query, find }, ctx) {
    const given = statementsOf(query);
    const statements = given.slice(0, MAX_STATEMENTS);
    const { tables, notes: found, next } = await ctx.sql.query({ statements, find }, ctx);
    const left = given.length - statements.length;
    const notes =
      left === 0
        ? found
        : [...found, `The last ${countOf(left, 'statement')} did not run; the limit is ${MAX_STATEMENTS}.`];
    const sized = tables.map(({ computed, rows }) => ({
      rows,
      longest: longestCells({ computed, rows: rows.length, several: tables.length > 1 }),
    }));
    const isWhole = ctx.limitGiven || ctx.caller.door !== 'mcp';
    const fitting = isWhole ? [] : shownRows(sized, ctx.budget * SHARE_WITHOUT_LIMIT);
    const shared = sized.map((table, at): SharingTable => {
      const all = table.rows.length;
      return { ...table, shown: namesLimit(statements[at] ?? '') ? all : (fitting[at] ?? all) };
    });
    const { rows, first } = sharedRows(shared);
    const cells = (row: TableRow): readonly Cell[] =>
      ctx.caller.format === 'text'
        ? shownCells(row.cells ?? [], shared[row.statement]?.longest ?? [])
        : (row.cells ?? []);
    return page<TableRow, SqlData>({
      rows,
      position: () => 0,
      shape: (some) => ({ ...(notes.length > 0 && { notes }), ...tablesOf(tables, some, cells) }),
      first,
      total: rows.length,
      next: next.length > 0 ? next : undefined,
      keep: {},
      explain: () => ({ plan: tables.flatMap(({ plan }) => plan) }),
    });
  },

  text: ({ notes = [], further = [], ...first }) =>
    [
      ...notes,
      [first, ...further]
        .map((table, at, all) => textOf(table, table.statement ?? (all.length > 1 ? at + 1 : undefined)))
        .join('\n\n'),
    ].join('\n'),
});

/** The rows of a page as tables, one per statement. */
function tablesOf(
  answers: readonly SqlTableAnswer[],
  rows: readonly TableRow[],
  cellsOf: (row: TableRow) => readonly Cell[],
): Table & Pick<SqlData, 'further'> {
  const begins = (statement: number) => rows.some((row) => row.statement === statement && row.number === 0);
  // The first page has the beginning of every table, as far as there is room.
  const later = answers.length > 1 && rows.length > 0 && !answers.every((_, statement) => begins(statement));
  const shown = answers.flatMap(({ columns, error, unread, rows: all }, statement): Table[] => {
    const mine = rows.filter((row) => row.statement === statement);
    const last = mine.at(-1)?.number ?? -1;
    if (mine.length === 0 && rows.length > 0) return [];
    const left = answers.length > 1 ? all.length - last - 1 : 0;
    return [
      {
        ...(later && { statement: statement + 1, from: (mine[0]?.number ?? 0) + 1 }),
        columns: columns.map((name) => redact(name)),
        rows: mine.flatMap((row) => (row.cells === undefined ? [] : [cellsOf(row)])),
        ...(left > 0 && all.length > 0 && { left }),
        ...(error !== undefined && { error }),
        ...(unread !== undefined && { unread }),
      },
    ];
  });
  const [first, ...further] = shown;
  return { columns: [], rows: [], ...first, ...(further.length > 0 && { further }) };
}

/** A table as text; one of several without a head that tells which it is has its number. */
function textOf(table: Table, number: number | undefined): string {
  const { columns, rows, statement, from = 1, left, error, unread } = table;
  const nth = number === undefined ? '' : `#${number}: `;
  if (error !== undefined) return `${nth}Error: ${error}`;
  if (rows.length === 0) return `${nth}${unread === undefined ? '' : `${unread} `}No rows.`;
  const place =
    statement === undefined ? '' : `Statement ${statement}${from === 1 ? '' : ` from row ${from}`}:\n`;
  const text = `${place}${unread === undefined ? '' : `${unread}\n`}${tableText(columns, rows)}`;
  return left === undefined ? text : `${text}\n… ${left} more`;
}
