/** A SQLite value as connections return it. */
export type SqlValue = string | number | null;

export type SqlColumnType = 'text' | 'integer' | 'real' | 'time';

export interface SqlColumn {
  readonly type: SqlColumnType;
  /** In addition to its values, if it has a fixed set of them. */
  readonly meaning: string;
  /** All values it can have, besides NULL. */
  readonly values?: readonly string[] | undefined;
  /** Rarely needed: not in the tool description, which every conversation pays for. */
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
 * A table that people and agents query with `sql`: a view with a promise. Columns are added, never renamed; what is
 * behind them may change.
 */
export interface SqlTable {
  readonly name: string;
  /** What a row is: `tool call`. */
  readonly row: string;
  /** In order. Times are milliseconds since 1970 in the SELECT, and are shown as `YYYY-MM-DD HH:MM`. */
  readonly columns: Readonly<Record<string, SqlColumn>>;
  /**
   * The SELECT behind it, with the columns in the same order. `{db}` stands for the schema name of one of the subject's
   * databases; with several databases, the view is the UNION ALL of one SELECT per database.
   */
  readonly select: string;
}

/** What a subject's functions can use in the process that runs queries. */
export interface SqlConnection {
  /** All rows of a SELECT over the attached databases. */
  all(sql: string, ...parameters: SqlValue[]): readonly Readonly<Record<string, unknown>>[];
}

/** User settings that columns depend on. */
export interface SqlSettings {
  /** Dollars per million tokens by model: input, cached input, writing to the cache, output. */
  readonly prices: Readonly<Record<string, readonly [number, number, number, number]>>;
}

/** What a subject contributes to `sql`; imported by the process that runs queries. */
export interface SqlSubject {
  readonly tables: readonly SqlTable[];
  /**
   * SQL that creates a view `temp.only_…` for each table that its SELECTs name, limited to the rows of some folders.
   */
  within?(schema: string, folders: readonly string[]): string;
  /**
   * Functions that its SELECTs call, created once per connection; `schemas` are the names of its attached databases.
   */
  functions?(
    connection: SqlConnection,
    schemas: readonly string[],
    settings: SqlSettings,
  ): Readonly<Record<string, (...values: SqlValue[]) => SqlValue>>;
}

/** A database file that a caller may query, and what the answer must say about it. */
export interface SqlDatabase {
  /** Absent if the rows are in a team's database. */
  readonly file?: string | undefined;
  /** The folders that rows must belong to; all rows if absent. */
  readonly within?: readonly string[] | undefined;
  /** The folder it is about, if there are several. */
  readonly root?: string | undefined;
  /** Why rows may be missing or outdated, as one sentence; absent if everything is there. */
  readonly incomplete?: string | undefined;
}

/** Rows that a node provides for a query, as a table. */
export interface GivenTable {
  readonly table: SqlTable;
  readonly rows: readonly (readonly SqlValue[])[];
  /** Statements that complete the rows after loading. */
  readonly completed?: readonly string[] | undefined;
}

/** A query over tables in a team's database. */
export interface SharedQuery {
  readonly query: string;
  readonly now: number;
  readonly zone: string;
  /** The projects whose sessions are visible; absent if all of them. */
  readonly within?: readonly string[] | undefined;
  readonly given?: readonly GivenTable[] | undefined;
  readonly limitMs: number;
  /** How much of a result to keep. */
  readonly most: { readonly rows: number; readonly bytes: number };
  /** Return only the plan. */
  readonly explain?: boolean | undefined;
}

/** The result of a query. */
export interface SqlRows {
  readonly columns: readonly string[];
  /** For each column, whether the query computed it. */
  readonly computed: readonly boolean[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** True if there were more rows than were kept. */
  readonly cut: boolean;
  readonly plan: readonly string[];
}

/** Tables that a team's database answers itself, in its own dialect. */
export interface SharedTables {
  run(query: SharedQuery, signal: AbortSignal): Promise<SqlRows>;
}
