import type { SqlSettings } from '../store/sql-table.ts';
import type { CallContext } from '../threads/messages.ts';
import type { Subject } from './subjects.ts';

/** A value in a result. */
export type Cell = string | number | null;

/** What a query needs, determined without running it. */
export interface Look {
  /** The tables it reads, with the columns it reads from each. */
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
  /** Where the history of its growth is stored. */
  readonly growthFolder: string;
  /** Changes with every scan. */
  readonly version: string;
  /** The paths of the folders that the caller may read; absent if all of them. */
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

/** A row of the table `duplicates`: a file with duplicates. */
export interface DuplicateFile {
  readonly path: string;
  /** Size in bytes of each of the identical files. */
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
  /** By subject, the folders that rows must belong to; subjects that are absent have no limit. */
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
  /** True if there were more rows than were kept. */
  readonly cut: boolean;
  readonly plan: readonly string[];
}

/** The methods of the process that runs queries. */
export type QueryMethods = {
  look(query: string): Look;
  run(request: QueryRequest, context: CallContext<PlanTold>): Promise<QueryResult>;
};

/** Sent before the query runs, for the error message of one that takes too long. */
export interface PlanTold {
  readonly plan: readonly string[];
}

/** The name of errors that the caller can fix; their message says how. */
export const MISTAKE = 'QueryMistake';

/** Larger results are cut, and the answer says so. */
export const MAX_RESULT_ROWS = 100_000;
export const MAX_RESULT_BYTES = 16_000_000;
