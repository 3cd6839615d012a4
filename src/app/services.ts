import type { CodeServices } from '../code/services.ts';
import type { CommitServices } from '../commits/services.ts';
import type { AgentFolders } from '../contract/agent-folders.ts';
import type { CallMetrics } from '../contract/metrics.ts';
import type { StreamGate } from '../contract/streams.ts';
import type { TouchServices } from '../disk/browse/agent-touches.ts';
import type { Shells } from '../disk/browse/shells.ts';
import type { Disk } from '../disk/disk.ts';
import type { Indexers } from '../jobs/indexers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SessionServices } from '../sessions/services.ts';
import type { SqlServices } from '../sql/services.ts';
import type { AllowedFolders } from '../store/allowed.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Team } from '../team/team.ts';

/** What the running process knows about itself. */
export interface About {
  readonly version: string;
  readonly started_at: number;
  readonly home: string;
}

/** Everything that operations can use. */
export interface Services extends CodeServices, CommitServices, SessionServices, SqlServices, TouchServices {
  readonly about: About;
  readonly jobs: Jobs;
  /** Builds the index of each subject. */
  readonly indexers: Indexers;
  readonly audit: AuditStore;
  readonly metrics: CallMetrics;
  readonly streams: StreamGate;
  readonly allowed: AllowedFolders;
  readonly agentFolders: AgentFolders;
  readonly shells: Shells;
  readonly disk: Disk;
  /** On a node of a team server. */
  readonly team?: Team | undefined;
}
