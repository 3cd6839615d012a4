import { CODE_OPERATIONS } from '../code/operations/index.ts';
import type { Operation } from '../contract/operation.ts';
import { DISK_OPERATIONS } from '../disk/operations/index.ts';
import { indexFolder } from '../jobs/operations/index-folder.ts';
import { jobCancel } from '../jobs/operations/job-cancel.ts';
import { jobList } from '../jobs/operations/job-list.ts';
import { jobProgress } from '../jobs/operations/job-progress.ts';
import { SESSION_OPERATIONS } from '../sessions/operations/index.ts';
import { allow } from './operations/allow.ts';
import { audit } from './operations/audit.ts';
import { fileView } from './operations/file-view.ts';
import { health } from './operations/health.ts';
import { stats } from './operations/stats.ts';
import type { Services } from './services.ts';

/** All operations, in the order in which tools are listed. MCP, REST and the commands are made from this list. */
export const OPERATIONS = [
  ...CODE_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...DISK_OPERATIONS,
  indexFolder,
  jobProgress,
  jobList,
  jobCancel,
  health,
  audit,
  stats,
  allow,
  fileView,
] as const satisfies readonly Operation<Services>[];
