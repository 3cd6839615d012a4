/** A value that a column can hold. */
export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** What the subjects need from a database. SQL is SQLite's, with `?` placeholders. */
export interface Database {
  all(sql: string, ...params: readonly SqlValue[]): Promise<SqlRow[]>;
  get(sql: string, ...params: readonly SqlValue[]): Promise<SqlRow | undefined>;
  /** Returns how many rows changed, and the id of the last inserted row. */
  run(sql: string, ...params: readonly SqlValue[]): Promise<{ changes: number; id: number }>;
  /** Runs one statement for many rows in one transaction. */
  batch(sql: string, rows: Iterable<readonly SqlValue[]>): Promise<number>;
  /** All or nothing; other callers wait until it ends. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One numbered step of a schema. After a release, steps are only added, never edited. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}
