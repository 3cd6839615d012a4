import type { SqlSettings } from '../store/sql-table.ts';
import type { CallContext } from '../threads/messages.ts';
import type { Subject } from './subjects.ts';

/** A value in a result. */
export type Cell = string | number | null;

/** What a query needs, found without running it. */
export interface Look {
  /** Names of the tables it reads, with the columns that it reads of each. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
}

/** Rows of an index, by their numbers in its tree. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** A disk index that the caller may read. */
export interface DiskSource {
  readonly id: number;
  /** The snapshot of its tree. */
  readonly file: string;
  /** Where it keeps how it grew. */
  readonly growthFolder: string;
  /** Changes with every scan. */
  readonly version: string;
  /** The folders that the caller may read: their paths. All of it if absent. */
  readonly folders?: readonly string[] | undefined;
}

/** A row of the table `found`. */
export interface FoundEvent {
  readonly session: string;
  readonly event: number;
  readonly turn: number;
  readonly ms: number;
  readonly type: string;
  readonly text: string;
}

/** A row of the table `duplicates`: a file that has equals. */
export interface DuplicateFile {
  readonly path: string;
  /** Bytes of each of the equal files. */
  readonly size: number;
  readonly copies: number;
  readonly hash: string;
}

export interface QueryRequest {
  readonly query: string;
  readonly now: number;
  /** Times are written in this zone. */
  readonly zone: string;
  readonly settings: SqlSettings;
  /** The columns that the query reads; see {@link Look}. */
  readonly reads: Look['reads'];
  /** Database files by subject. */
  readonly databases: Readonly<Partial<Record<Subject, readonly string[]>>>;
  /** The folders that rows of a subject must belong to; all rows of those that are not named. */
  readonly within?: Readonly<Partial<Record<Subject, readonly string[]>>> | undefined;
  readonly disk: readonly DiskSource[];
  /** Rows of the table `found`. */
  readonly found: readonly FoundEvent[];
  /** Rows of the table `duplicates`. */
  readonly duplicates?: readonly DuplicateFile[] | undefined;
  /** Only the plan is wanted. */
  readonly explain?: boolean | undefined;
}

export interface QueryResult {
  readonly columns: readonly string[];
  /** For each column, whether the query computed it. */
  readonly computed: readonly boolean[];
  readonly rows: readonly (readonly Cell[])[];
  /** True if there were more rows than are kept. */
  readonly cut: boolean;
  readonly plan: readonly string[];
}

/** What the process that runs queries can be asked. */
export type QueryMethods = {
  look(query: string): Look;
  run(request: QueryRequest, context: CallContext<PlanTold>): Promise<QueryResult>;
};

/** Sent before the query runs, for the error of one that takes too long. */
export interface PlanTold {
  readonly plan: readonly string[];
}

/** The name of errors that the caller can fix; their message says how. */
export const MISTAKE = 'QueryMistake';

/** Results are kept up to here; what is more is left out, and the answer says so. */
export const MAX_RESULT_ROWS = 100_000;
export const MAX_RESULT_BYTES = 16_000_000;
