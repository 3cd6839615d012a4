import type { Code } from '../code/code.ts';
import type { Semantic } from '../code/semantic.ts';
import type { AgentFolders } from '../contract/agent-folders.ts';
import type { StreamGate } from '../contract/streams.ts';
import type { TouchServices } from '../disk/browse/agent-touches.ts';
import type { Shells } from '../disk/browse/shells.ts';
import type { Disk } from '../disk/disk.ts';
import type { Indexers } from '../jobs/indexer.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SessionServices } from '../sessions/operations/shared.ts';
import type { AllowedFolders } from '../store/allowed.ts';
import type { AuditStore } from '../store/audit.ts';

/** What the running process knows of itself. */
export interface About {
  readonly version: string;
  readonly started_at: number;
  readonly home: string;
}

/** Everything operations may ask for. */
export interface Services extends SessionServices, TouchServices {
  readonly about: About;
  readonly jobs: Jobs;
  /** Who builds the index of which subject. */
  readonly indexers: Indexers;
  readonly audit: AuditStore;
  readonly streams: StreamGate;
  readonly allowed: AllowedFolders;
  readonly agentFolders: AgentFolders;
  readonly shells: Shells;
  readonly disk: Disk;
  readonly code: Code;
  readonly semantic: Semantic;
}
