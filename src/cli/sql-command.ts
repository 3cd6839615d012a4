import { text as textOf } from 'node:stream/consumers';
import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { PinholeError } from '../contract/errors.ts';
import { columns as aligned, countOf } from '../contract/format.ts';
import type { RawInput } from '../contract/input.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import { maxBytes, UNLIMITED_BYTES } from './max-bytes.ts';
import { isTable, type Table, tableCsv, tableLines } from './sql-table-text.ts';

const FLAGS = {
  find: { type: 'string' },
  limit: { type: 'string' },
  cursor: { type: 'string' },
  'max-bytes': { type: 'string' },
  csv: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** `pinhole sql`: a query, as argument or from a pipe, and its table; on a terminal without a query, a prompt. */
export const sql: BuiltIn = {
  usage: "pinhole sql ['SELECT …'] [flags]",
  flags: [
    ['--find TEXT', 'text or /regex/ in session logs; fills the table found'],
    ['--limit N', 'rows at most'],
    ['--cursor VALUE', 'where the last answer stopped'],
    ['--max-bytes N', 'limit the answer to N bytes (also: PINHOLE_MAX_BYTES)'],
    ['--csv', 'all rows as CSV'],
    ['--json', 'the answer as JSON'],
  ],
  examples: [
    "pinhole sql 'select tool, count(*) n from calls group by 1 order by 2 desc limit 5'",
    "pinhole sql 'select path, size(size) from files order by size desc limit 10'",
    "pinhole sql 'select * from tables'",
    'pinhole sql < queries.sql',
    'pinhole sql    # a prompt with history; Tab completes names',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, FLAGS);
    const [given, extra] = positionals;
    if (extra !== undefined)
      throw new PinholeError('invalid_parameter', 'Put the query in quotes: it must be one argument.');
    const nothing = given === undefined && values.cursor === undefined;
    const query = nothing && !process.stdin.isTTY ? await textOf(process.stdin) : given;
    const engine = cliEngine();
    try {
      if (nothing && query === undefined) {
        const { sqlPrompt } = await import('./sql-prompt.ts');
        await sqlPrompt((text) => answer(engine, { query: text }, 'table', UNLIMITED_BYTES), dataFolder());
        return 0;
      }
      const input = {
        ...(query !== undefined && { query }),
        ...(values.find !== undefined && { find: values.find }),
        ...(values.cursor !== undefined && { cursor: values.cursor }),
        ...(values.limit !== undefined && { limit: Number(values.limit) }),
      };
      const form = values.csv ? 'csv' : values.json ? 'json' : process.stdout.isTTY ? 'table' : 'text';
      return await answer(engine, input, form, maxBytes(values['max-bytes']));
    } finally {
      await engine.close(false);
      closeConnections();
    }
  },
};

type Form = 'csv' | 'json' | 'table' | 'text';

/** Asks and writes the answer; returns the exit code. */
async function answer(
  engine: ReturnType<typeof cliEngine>,
  input: RawInput,
  form: Form,
  budget: number,
): Promise<number> {
  const limit = form === 'csv' && input.limit === undefined ? { limit: 10_000 } : {};
  const caller = cliCaller(form === 'text' ? 'text' : 'json', form === 'csv' ? UNLIMITED_BYTES : budget);
  const first = await engine.run('sql', { ...input, ...limit }, { caller });
  if (!first.ok) {
    if (form === 'json') process.stdout.write(`${first.rendered.text}\n`);
    else process.stderr.write(`pinhole: ${first.error.message}\n`);
    return first.error.code === 'invalid_parameter' ? 2 : 1;
  }
  if (form === 'json' || form === 'text') {
    process.stdout.write(`${first.rendered.text}\n`);
    return 0;
  }
  let { data, pagination } = first.envelope;
  if (!isTable(data)) throw new Error('the answer is not a table');
  for (const note of data.notes ?? []) process.stderr.write(`${note}\n`);
  if (form === 'table') {
    const tables = [data, ...(data.further ?? [])];
    process.stdout.write(`${tables.map(tableOnTerminal).join('\n\n')}\n`);
    if (pagination?.next_cursor !== undefined)
      process.stdout.write(
        `${pagination.left === undefined ? 'More rows' : countOf(pagination.left, 'more row')}: pinhole sql --cursor ${pagination.next_cursor}\n`,
      );
    return 0;
  }
  if (data.unread !== undefined) process.stderr.write(`${data.unread}\n`);
  process.stdout.write(tableCsv([data.columns, ...data.rows]));
  while (pagination?.next_cursor !== undefined) {
    const next = await engine.run('sql', { cursor: pagination.next_cursor }, { caller });
    if (!next.ok) throw new PinholeError(next.error.code, next.error.message);
    ({ data, pagination } = next.envelope);
    if (isTable(data)) process.stdout.write(tableCsv(data.rows));
  }
  return 0;
}

function tableOnTerminal(table: Table): string {
  if (table.error !== undefined) return `Error: ${table.error}`;
  const unread = table.unread === undefined ? '' : `${table.unread}\n`;
  if (table.rows.length === 0) return `${unread}No rows.`;
  const numbers = table.columns.flatMap((_, i) =>
    table.rows.every((row) => row[i] === null || typeof row[i] === 'number') ? [i] : [],
  );
  return `${unread}${aligned(tableLines(table), numbers)}`;
}
