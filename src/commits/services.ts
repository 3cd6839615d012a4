import type { SessionServices } from '../sessions/services.ts';
import type { Commits } from './commits.ts';

/** What the operations on commits need in addition to the usual context. */
export interface CommitServices extends SessionServices {
  readonly commits: Commits;
}
