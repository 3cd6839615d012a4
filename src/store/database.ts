/** A value a column can hold. */
export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * What the subjects ask of a database: SQLite now, PostgreSQL by the same interface.
 * SQL is written with `?` placeholders and in the part both engines share.
 */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  all(sql: string, ...params: readonly SqlValue[]): Promise<SqlRow[]>;
  get(sql: string, ...params: readonly SqlValue[]): Promise<SqlRow | undefined>;
  /** Rows changed, and the id of the last inserted row. */
  run(sql: string, ...params: readonly SqlValue[]): Promise<{ changes: number; id: number }>;
  /** Runs one statement for many rows inside one transaction. */
  batch(sql: string, rows: Iterable<readonly SqlValue[]>): Promise<number>;
  /** All or nothing; other callers wait until it ends. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One numbered step of a schema. Steps are never edited after a release, only added. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}
