import type { CommitServices } from '../commits/services.ts';
import type { CallContext } from '../contract/operation.ts';
import type { Sql } from './sql.ts';

/** What the operation `sql` needs. */
export interface SqlServices extends CommitServices {
  readonly sql: Sql;
}

export type SqlContext = CallContext & SqlServices;
