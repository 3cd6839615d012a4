import type { CallContext } from '../contract/operation.ts';
import type { SessionServices } from '../sessions/services.ts';
import type { Sql } from './sql.ts';

/** What the operation `sql` needs. */
export interface SqlServices extends SessionServices {
  readonly sql: Sql;
}

export type SqlContext = CallContext & SqlServices;
