import { CODE_OPERATIONS } from '../code/operations/index.ts';
import { COMMIT_OPERATIONS } from '../commits/operations/index.ts';
import type { Operation } from '../contract/operation.ts';
import { DISK_OPERATIONS } from '../disk/operations/index.ts';
import { JOB_OPERATIONS } from '../jobs/operations/index.ts';
import { SESSION_OPERATIONS } from '../sessions/operations/index.ts';
import { SQL_OPERATIONS } from '../sql/operations/index.ts';
import { APP_OPERATIONS } from './operations/index.ts';
import type { Services } from './services.ts';

/** All operations, in the order in which tools are listed. MCP, REST and the commands are made from this list. */
export const OPERATIONS = [
  ...SQL_OPERATIONS,
  ...CODE_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...COMMIT_OPERATIONS,
  ...DISK_OPERATIONS,
  ...JOB_OPERATIONS,
  ...APP_OPERATIONS,
] as const satisfies readonly Operation<Services>[];
