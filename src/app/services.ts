import type { Shells } from '../disk/shells.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { AllowedFolders } from '../store/allowed.ts';
import type { AuditStore } from '../store/audit.ts';

/** What the running process knows of itself. */
export interface About {
  readonly version: string;
  readonly started_at: number;
  readonly home: string;
}

/** Everything operations may ask for. */
export interface Services {
  readonly about: About;
  readonly jobs: Jobs;
  readonly audit: AuditStore;
  readonly allowed: AllowedFolders;
  readonly shells: Shells;
}
