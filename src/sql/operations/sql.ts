import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { redact } from '../../contract/redact.ts';
import { tableText } from '../cell-text.ts';
import { describeTables } from '../describe-tables.ts';
import type { Cell } from '../query-messages.ts';
import type { SqlServices } from '../services.ts';
import type { SqlAnswer } from '../sql.ts';
import { statementsOf } from '../statement.ts';

const MOST_STATEMENTS = 10;
/** Rows of several statements together: each has its share, so that a long table does not push out the others. */
const SHARED_ROWS = 120;
const LEAST_ROWS = 20;

const tableData = {
  columns: z.array(z.string()),
  whole: z.array(z.boolean()).optional().describe('columns that the query computes: not cut in text'),
  rows: z.array(z.array(z.union([z.string(), z.number()]))).describe('cells; an empty text for NULL'),
};

const sqlData = z.object({
  notes: z.array(z.string()).optional().describe('what is missing or old'),
  ...tableData,
  further: z.array(z.object(tableData)).optional().describe('the tables of further statements'),
});

type SqlData = ReadonlyData<typeof sqlData>;
type Table = Pick<SqlData, 'columns' | 'whole' | 'rows'>;

/** A row and the statement that it answers; without cells, that statement has no rows. */
interface Row {
  readonly statement: number;
  readonly cells?: readonly Cell[];
}

export const sqlInput = z.strictObject({
  query: z.string().min(1).max(20_000).describe('a SELECT, or several separated by semicolons'),
  find: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('text or /regex/ in session logs; fills the table found'),
});

export const sql = operation<SqlServices>()({
  name: 'sql',
  toolset: 'every',
  readOnly: true,
  summary: `SQLite SELECTs (several with ;) over sessions, code and disk. Times are local text: at > ago('7d'). Also regexp, snip(text,n), around(text,word,n), dirname(path,n), size(n). Absolute paths. Tables:\n${describeTables()}\ncalls.kind: read, edit, search, execute, agent, web; status: ok, failed, rejected, cancelled; check: test, build, lint, typecheck. turns.outcome: success, partial, failed, interrupted.`,
  input: sqlInput,
  limit: { default: 200, max: 10_000 },
  data: sqlData,
  rows: 'rows',
  explains: true,
  aliases: { sql: 'query', q: 'query', statement: 'query', search: 'find' },
  // `pinhole sql` is a command of its own, with a prompt and tables for terminals.
  http: ['GET /api/sql', 'POST /api/sql'],
  async run({ query, find }, ctx) {
    const statements = statementsOf(query);
    if (statements.length > MOST_STATEMENTS)
      fail(
        'invalid_parameter',
        `query has ${statements.length} statements; give at most ${MOST_STATEMENTS}.`,
      );
    const answers: SqlAnswer[] = [];
    for (const one of statements) answers.push(await ctx.sql.query({ query: one, find }, ctx));
    const several = answers.length > 1;
    const most = Math.max(LEAST_ROWS, Math.floor(SHARED_ROWS / answers.length));
    const rows = answers.flatMap(({ rows: found }, statement): Row[] =>
      found.length === 0 && several
        ? [{ statement }]
        : (several ? found.slice(0, most) : found).map((cells) => ({ statement, cells })),
    );
    const cut = answers.flatMap(({ rows: found }, at) =>
      several && found.length > most
        ? [
            `Table ${at + 1} has ${countOf(found.length, 'row')}, ${most} of them here; for all, run it alone.`,
          ]
        : [],
    );
    const notes = [...new Set(answers.flatMap((answer) => answer.notes)), ...cut];
    const next = answers.flatMap((answer) => answer.next);
    return page<Row, SqlData>({
      rows,
      position: () => 0,
      shape: (some) => ({ ...(notes.length > 0 && { notes }), ...tablesOf(answers, some) }),
      total: rows.length,
      next: next.length > 0 ? next : undefined,
      keep: {},
      explain: () => ({ plan: answers.flatMap(({ plan }) => plan) }),
    });
  },

  text: ({ notes = [], further = [], ...first }) =>
    [...notes, [first, ...further].map(textOf).join('\n\n')].join('\n'),
});

/** The rows of a page as tables, one for each statement. */
function tablesOf(answers: readonly SqlAnswer[], rows: readonly Row[]): Table & Pick<SqlData, 'further'> {
  const shown = [...new Set(rows.map(({ statement }) => statement))];
  const [first, ...further] = (shown.length === 0 ? [0] : shown).map((statement): Table => {
    const { columns = [], whole = [] } = answers[statement] ?? {};
    return {
      columns: columns.map((name) => redact(name)),
      ...(whole.includes(true) && { whole }),
      rows: rows.flatMap((row) =>
        row.statement === statement && row.cells !== undefined ? [row.cells.map((cell) => cell ?? '')] : [],
      ),
    };
  });
  return { columns: [], rows: [], ...first, ...(further.length > 0 && { further }) };
}

function textOf({ columns, rows, whole }: Table): string {
  return rows.length === 0 ? 'No rows.' : tableText(columns, rows, whole);
}
