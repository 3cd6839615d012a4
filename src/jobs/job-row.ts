import { optionalNumber, optionalText, parseJson } from '../store/column-values.ts';
import type { SqlRow } from '../store/database.ts';
import type { Job, JobReport, JobStatus } from './jobs.ts';
import { etaSeconds, type Progress } from './progress.ts';

/** The number in a handle such as `j7`; 0, which no job has, for any other text. */
export function jobNumber(id: string): number {
  return /^j\d{1,15}$/.test(id) ? Number(id.slice(1)) : 0;
}

/** A job as its row says; what this process knows of its progress is newer. */
export function toJob(row: SqlRow, live: Progress | undefined, now: number): Job {
  const status = String(row.status) as JobStatus;
  const progress = live ?? parseJson<Progress>(row.progress);
  const started = optionalNumber(row.started_at);
  return {
    id: `j${row.id}`,
    kind: String(row.kind),
    key: String(row.key),
    status,
    progress,
    eta_seconds:
      status === 'running' && started !== undefined ? etaSeconds(progress, now - started) : undefined,
    created_at: Number(row.created_at),
    started_at: started,
    ended_at: optionalNumber(row.ended_at),
    report: parseJson<JobReport>(row.report),
    error: optionalText(row.error),
  };
}
