/** A value of SQLite, as connections hand it out. */
export type SqlValue = string | number | null;

export type SqlColumnType = 'text' | 'integer' | 'real' | 'time';

export interface SqlColumn {
  readonly type: SqlColumnType;
  /** Beside its values, if it has only some. */
  readonly meaning: string;
  /** All values that it can have, besides NULL. */
  readonly values?: readonly string[] | undefined;
  /** Seldom asked for: not in the description of the tool, which every conversation pays for. */
  readonly rare?: boolean | undefined;
}

/**
 * What a column holds, its values first.
 *
 * @example meaningOf({ type: 'text', values: ['ok', 'failed'], meaning: 'NULL while it runs' }) // 'ok, failed; NULL …'
 */
export function meaningOf({ values, meaning }: SqlColumn): string {
  return [values?.join(', ') ?? '', meaning].filter((part) => part !== '').join('; ');
}

/**
 * A table that people and agents ask with `sql`: a view with a promise. Columns are added, never renamed; what is
 * behind them may change.
 */
export interface SqlTable {
  readonly name: string;
  /** What one row is: `tool call`. */
  readonly row: string;
  /** In order. Times are milliseconds since 1970 in the SELECT, and shown as `YYYY-MM-DD HH:MM`. */
  readonly columns: Readonly<Record<string, SqlColumn>>;
  /**
   * The SELECT behind it, with the columns in the same order. `{db}` stands for the schema name of one database of the
   * subject; with several databases the view is the UNION ALL of one SELECT for each.
   */
  readonly select: string;
}

/** What a function of a subject may do in the process that runs the queries. */
export interface SqlConnection {
  /** All rows of a SELECT over the attached databases. */
  all(sql: string, ...parameters: SqlValue[]): readonly Readonly<Record<string, unknown>>[];
}

/** What a subject brings to `sql`: imported by the process that runs the queries. */
export interface SqlSubject {
  readonly tables: readonly SqlTable[];
  /** SQL that makes a view `temp.only_…` for each table that its SELECTs name, with the rows of some folders. */
  within?(schema: string, folders: readonly string[]): string;
  /** Functions that its SELECTs call, made once per connection; `schemas` are the names of its attached databases. */
  functions?(
    connection: SqlConnection,
    schemas: readonly string[],
  ): Readonly<Record<string, (...values: SqlValue[]) => SqlValue>>;
}

/** A database file that a caller may ask, and what the answer must say about it. */
export interface SqlDatabase {
  readonly file: string;
  /** The folders that rows must belong to; all rows if absent. */
  readonly within?: readonly string[] | undefined;
  /** The folder that it is about, where there are several. */
  readonly root?: string | undefined;
  /** Why rows may be missing or old, in one sentence; absent if everything is there. */
  readonly incomplete?: string | undefined;
}
