import type { Progress } from './progress.ts';

export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A piece of background work. Times are milliseconds since 1970. */
export interface Job {
  /** Short handle such as `j7`. */
  readonly id: string;
  readonly kind: string;
  /** Names the work; starting the same key while it runs returns the same job. */
  readonly key: string;
  readonly status: JobStatus;
  readonly progress: Progress | undefined;
  readonly eta_seconds: number | undefined;
  readonly created_at: number;
  readonly started_at: number | undefined;
  readonly ended_at: number | undefined;
  /** What the runner returned: small JSON such as `{ index_id: 'i3', files: 12 }`. */
  readonly report: JobReport | undefined;
  readonly error: string | undefined;
}

export type JobReport = Readonly<Record<string, unknown>>;
export type JobParams = Readonly<Record<string, unknown>>;

/** What a runner gets. */
export interface JobContext {
  readonly id: string;
  readonly params: JobParams;
  readonly signal: AbortSignal;
  /** True if an earlier process started this job and did not finish it. */
  readonly resumed: boolean;
  progress(progress: Progress): void;
}

export interface JobKind {
  readonly name: string;
  /** After a restart: run again from the beginning, or count as failed. */
  readonly afterRestart: 'resume' | 'fail';
  /** A stopped run throws; if it returns a report, it was cancelled too late and counts as done. */
  readonly whole?: true | undefined;
  /** Any node of a team server can do it: it needs the database and no files of one machine. */
  readonly anywhere?: true | undefined;
  run(job: JobContext): Promise<JobReport | undefined>;
}

/** Background work that outlives the caller who asked for it. */
export interface Jobs {
  /** Kinds are registered once at start, before `recover`. */
  register(kind: JobKind): void;
  /** Starts work of a registered kind, or returns the job that is already doing it. */
  start(kind: string, key: string, params: JobParams): Promise<Job>;
  /** The job that is queued or running for this work. */
  underWay(kind: string, key: string): Promise<Job | undefined>;
  get(id: string): Promise<Job | undefined>;
  /** Newest first. */
  list(after: number | undefined, limit: number): Promise<Job[]>;
  cancel(id: string): Promise<Job | undefined>;
  /** Calls the listener on every change of the job until the returned function is called. */
  watch(id: string, listener: (job: Job) => void): () => void;
  /** The same for all jobs, including later ones. */
  watchAll(listener: (job: Job) => void): () => void;
  /** Resumes or fails the jobs that an earlier process left running. */
  recover(): Promise<void>;
  /** True while anything is queued or running. */
  busy(): boolean;
  close(): Promise<void>;
}
