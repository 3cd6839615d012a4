import type pg from 'pg';
import { systemCode } from '../contract/errors.ts';
import { asked } from './postgres-errors.ts';

/** Sends a query on a connection; rows are lists of the values SQLite would return. */
export type Ask = (text: string, params?: readonly unknown[]) => Promise<Answer>;

export interface Answer {
  readonly rows: readonly PlainRow[];
  readonly fields: readonly Field[];
}

export type PlainRow = readonly (string | number | null)[];

export interface Field {
  readonly name: string;
  readonly tableID: number;
}

/** A connection used by nobody else. */
export interface Connection {
  readonly ask: Ask;
  /**
   * Passes on the rows of a query as they arrive, until `take` has enough. Unlike a cursor, this lets PostgreSQL read
   * with several processes.
   */
  read(text: string, take: (row: PlainRow) => boolean): Promise<readonly Field[]>;
}

const BOOLEAN = 16;
/** All number types: 2, 4 and 8 byte integers, floating point, decimal. */
const ALL_NUMBERS = [21, 23, 20, 700, 701, 1700];
/** Only numbers and texts; numbers that would not be exact become texts. */
const PLAIN = {
  getTypeParser: (oid: number) => (text: string) => {
    if (oid === BOOLEAN) return text === 't' ? 1 : 0;
    if (!ALL_NUMBERS.includes(oid)) return text;
    const number = Number(text);
    return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
  },
};

const CANCELLED = '57014';

/** Lends out a connection; the signal cancels what is running, and the transaction is rolled back. */
export async function aloneIn<T>(
  pool: pg.Pool,
  Query: typeof pg.Query,
  work: (connection: Connection) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const client = await asked(() => pool.connect());
  const ask: Ask = async (text, params = []) => {
    signal.throwIfAborted();
    const query = { text, values: [...params], rowMode: 'array' as const, types: PLAIN };
    // The driver's types do not know that rows are lists of what `PLAIN` returns.
    return asked(() => client.query(query)) as Promise<Answer>;
  };
  const { rows } = await ask('SELECT pg_backend_pid()');
  const cancel = () => pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.[0]]).catch(() => {});
  const read: Connection['read'] = async (text, take) => {
    signal.throwIfAborted();
    let enough: Promise<unknown> | undefined;
    let fields: readonly Field[] = [];
    const config = { text, rowMode: 'array' as const, types: PLAIN };
    const ended = () =>
      new Promise<void>((resolve, reject) => {
        const query = new Query<PlainRow>(config);
        query.on('row', (row, result) => {
          if (enough !== undefined || take(row)) return;
          fields = result?.fields ?? [];
          enough = cancel();
        });
        query.on('end', (result) => {
          fields = result.fields;
          resolve();
        });
        query.on('error', reject);
        client.query(query);
      });
    try {
      await asked(ended);
    } catch (error) {
      if (enough === undefined || systemCode(error) !== CANCELLED) throw error;
    } finally {
      // Wait here: a later cancellation would end another statement.
      await enough;
    }
    return fields;
  };
  signal.addEventListener('abort', cancel, { once: true });
  let broken: Error | undefined;
  try {
    return await work({ ask, read });
  } finally {
    signal.removeEventListener('abort', cancel);
    await client.query('ROLLBACK').catch((failed: Error) => {
      broken = failed;
    });
    client.release(broken);
  }
}
