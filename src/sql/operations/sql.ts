import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { redact } from '../../contract/redact.ts';
import { tableText } from '../cell-text.ts';
import { describeTables } from '../describe-tables.ts';
import type { Cell } from '../query-messages.ts';
import type { SqlServices } from '../services.ts';

const sqlData = z.object({
  notes: z.array(z.string()).optional().describe('what is missing or old'),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

export const sqlInput = z.strictObject({
  query: z.string().min(1).max(20_000).describe('one SELECT'),
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
  summary: `SQLite SELECT over agent sessions, code and disk. Times are local text: at > ago('7d'). Also regexp, snip(text,n), around(text,word,n), dirname(path,n), size(n). Tables:\n${describeTables()}\ncalls.kind: read, edit, search, execute, agent, web; status: ok, failed, rejected, cancelled; check: test, build, lint, typecheck. refs.kind: call, import, type`,
  input: sqlInput,
  limit: { default: 200, max: 10_000 },
  data: sqlData,
  rows: 'rows',
  explains: true,
  aliases: { sql: 'query', q: 'query', statement: 'query', search: 'find' },
  // `pinhole sql` is a command of its own, with a prompt and tables for terminals.
  http: ['GET /api/sql', 'POST /api/sql'],
  async run(input, ctx) {
    const { columns, rows, notes, next, plan } = await ctx.sql.query(input, ctx);
    const named = columns.map((name) => redact(name));
    return page<readonly Cell[], ReadonlyData<typeof sqlData>>({
      rows,
      position: () => 0,
      shape: (some) => ({ ...(notes.length > 0 && { notes }), columns: named, rows: some }),
      total: rows.length,
      next: next.length > 0 ? next : undefined,
      keep: {},
      explain: () => ({ plan }),
    });
  },

  text: ({ notes = [], columns, rows }) =>
    [...notes, rows.length === 0 ? 'No rows.' : tableText(columns, rows)].join('\n'),
});
