import { fail, PinholeError, systemCode } from '../../contract/errors.ts';
import { timeOf } from '../../contract/time.ts';
import { localTimeText } from '../../contract/zone.ts';
import type { PostgresDatabase } from '../../store/postgres.ts';
import type { Ask, Connection, PlainRow } from '../../store/postgres-alone.ts';
import type { GivenTable, SharedQuery, SharedTables, SqlRows } from '../../store/sql-table.ts';
import { checkedQuery } from './checked-query.ts';
import { READER, SEES, VIEWS } from './sql-views.ts';

/** For sorting and grouping, per step of a plan. */
const WORK_MEMORY = '32MB';

/** Answers queries on PostgreSQL, in a read-only transaction and with a role that may only read the views. */
export function sharedTables(db: PostgresDatabase, ready: boolean): SharedTables {
  return {
    async run(query, signal) {
      if (!ready)
        fail(
          'conflict',
          `sql needs the role ${READER}, which this server may not make. Ask an administrator of the database for: CREATE ROLE ${READER}; GRANT ${READER} TO the user of Pinhole. Then restart the server.`,
        );
      const time = localTimeText(query.zone);
      const text = checkedQuery(query.query, (age) =>
        time(Math.floor((timeOf('ago', age, query.now, query.zone) ?? query.now) / 1000)),
      );
      try {
        return await db.alone((connection) => answer(connection, text, query), signal);
      } catch (error) {
        throw mistake(error);
      }
    },
  };
}

async function answer({ ask, read }: Connection, text: string, query: SharedQuery): Promise<SqlRows> {
  const { within, zone, limitMs, given = [], explain, most } = query;
  await ask('BEGIN');
  const set = (name: string, value: string) => ask('SELECT set_config($1, $2, true)', [name, value]);
  await set(SEES, within === undefined ? '*' : JSON.stringify(within));
  await set('pinhole.zone', zone);
  await set('statement_timeout', String(Math.max(1, Math.round(limitMs))));
  await set('work_mem', WORK_MEMORY);
  await set('search_path', `pg_temp, ${VIEWS}, pg_catalog`);
  for (const table of given) await fill(ask, table);
  await ask('SET TRANSACTION READ ONLY');
  await ask(`SET LOCAL ROLE ${READER}`);
  const { rows: plan } = await ask(`EXPLAIN ${text}`);
  const lines = plan.map(([line]) =>
    String(line)
      .trim()
      .replace(/^->\s+/, ''),
  );
  if (explain === true) return { columns: [], computed: [], rows: [], cut: false, plan: lines };
  const rows: PlainRow[] = [];
  let bytes = 0;
  let cut = false;
  // Inside a SELECT, the text cannot be another statement.
  const fields = await read(`SELECT * FROM (${text}) AS answer`, (row) => {
    for (const cell of row) bytes += typeof cell === 'string' ? cell.length + 8 : 8;
    cut = rows.length >= most.rows || bytes > most.bytes;
    if (!cut) rows.push(row);
    return !cut;
  });
  const columns = fields.map(({ name }) => name);
  const computed = fields.map(({ tableID }) => tableID === 0);
  return { columns, computed, rows, cut, plan: lines };
}

const TYPES = { text: 'text', time: 'text', integer: 'bigint', real: 'double precision' } as const;

/** Creates a temporary table for rows that this node provides. */
async function fill(ask: Ask, { table, rows, completed = [] }: GivenTable): Promise<void> {
  const columns = Object.entries(table.columns).map(([name, { type }]) => `"${name}" ${TYPES[type]}`);
  const names = Object.keys(table.columns);
  await ask(`CREATE TEMP TABLE "${table.name}" (${columns.join(', ')}) ON COMMIT DROP`);
  await ask(
    `INSERT INTO "${table.name}" SELECT * FROM json_to_recordset($1::json) AS given(${columns.join(', ')})`,
    [JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))))],
  );
  for (const sql of completed) await ask(sql);
  await ask(`GRANT SELECT ON "${table.name}" TO ${READER}`);
}

/** Mistakes in queries; 25006 and 55000 are attempts to write. */
const MISTAKE = /^(?:42|22|21|54|0A|2F)/;
const WRITES = new Set(['25006', '42501', '55000']);

/** Turns an error that the caller can fix into the error for a mistake; other errors stay as they are. */
function mistake(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = systemCode(error) ?? systemCode(error.cause) ?? '';
  if (WRITES.has(code))
    return new PinholeError('invalid_parameter', 'sql is read-only. Write one SELECT.', { cause: error });
  if (error instanceof PinholeError || !MISTAKE.test(code)) return error;
  const hint = 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : '';
  const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.${hint}`;
  return new PinholeError('invalid_parameter', message, { cause: error });
}
