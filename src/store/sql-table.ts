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

/** What people set and columns depend on. */
export interface SqlSettings {
  /** Dollars per million tokens by model: input, cached input, writing to the cache, output. */
  readonly prices: Readonly<Record<string, readonly [number, number, number, number]>>;
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
    settings: SqlSettings,
  ): Readonly<Record<string, (...values: SqlValue[]) => SqlValue>>;
}

/** A database file that a caller may ask, and what the answer must say about it. */
export interface SqlDatabase {
  /** Absent where the rows are in the database of a team. */
  readonly file?: string | undefined;
  /** The folders that rows must belong to; all rows if absent. */
  readonly within?: readonly string[] | undefined;
  /** The folder that it is about, where there are several. */
  readonly root?: string | undefined;
  /** Why rows may be missing or old, in one sentence; absent if everything is there. */
  readonly incomplete?: string | undefined;
}

/** Rows that a node brings along for a query, as a table. */
export interface GivenTable {
  readonly table: SqlTable;
  readonly rows: readonly (readonly SqlValue[])[];
  /** Statements that complete the rows. */
  readonly completed?: readonly string[] | undefined;
}

/** A query over tables that are in the database of a team. */
export interface SharedQuery {
  readonly query: string;
  readonly now: number;
  readonly zone: string;
  /** The projects whose sessions are seen; all if absent. */
  readonly within?: readonly string[] | undefined;
  readonly given?: readonly GivenTable[] | undefined;
  readonly limitMs: number;
  /** How much of a result is kept. */
  readonly most: { readonly rows: number; readonly bytes: number };
  /** Only the plan is wanted. */
  readonly explain?: boolean | undefined;
}

/** What a query gives. */
export interface SqlRows {
  readonly columns: readonly string[];
  /** For each column, whether the query computed it. */
  readonly computed: readonly boolean[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** True if there were more rows than are kept. */
  readonly cut: boolean;
  readonly plan: readonly string[];
}

/** Tables that the database of a team answers itself, in its own dialect. */
export interface SharedTables {
  run(query: SharedQuery, signal: AbortSignal): Promise<SqlRows>;
}
