import type { audit } from '../../../src/app/operations/audit.ts';
import type { health } from '../../../src/app/operations/health.ts';
import type { stats } from '../../../src/app/operations/stats.ts';

/** What an operation answers: the page has no shapes of its own, so a changed field breaks its build. */
export type DataOf<Op> = Op extends { text(data: infer Data, style: never): string } ? Data : never;

export type Health = DataOf<typeof health>;
export type CallPage = DataOf<typeof audit>;
export type CallCard = CallPage['calls'][number];
export type Stats = DataOf<typeof stats>;
export type OperationStats = Stats['operations'][number];
export type { JobCard } from '../../../src/jobs/operations/job-progress.ts';
