import type { Job } from './jobs.ts';

export const INDEX_SUBJECTS = ['disk', 'code', 'sessions'] as const;
export type IndexSubject = (typeof INDEX_SUBJECTS)[number];

/** What the `index` operation passes on; subjects use what applies to them. */
export interface IndexRequest {
  /** Real path of a folder that the caller may read. */
  readonly root: string;
  /** All folders that the caller may read. */
  readonly allowed: readonly string[];
  readonly depthLimit?: number | undefined;
  readonly followSymlinks: boolean;
  readonly oneFileSystem: boolean;
  readonly exclude: readonly string[];
  /** Read everything again, even what looks unchanged. */
  readonly full: boolean;
}

/** The part of a subject that builds its index as a job; while the job runs, the same job is returned. */
export interface Indexer {
  startIndex(request: IndexRequest): Promise<{ readonly job: Job; readonly indexId?: string | undefined }>;
}

export type Indexers = Readonly<Partial<Record<IndexSubject, Indexer>>>;
