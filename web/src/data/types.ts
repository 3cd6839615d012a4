/** Shapes of the house's own answers; each subject has its own file of them. */

export interface Health {
  readonly status: string;
  readonly version: string;
  readonly pid: number;
  readonly started_at: string;
  readonly memory_bytes: number;
  readonly jobs_running: boolean;
}

export interface JobCard {
  readonly job_id: string;
  readonly kind: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly phase?: string;
  readonly done?: number;
  readonly unit?: string;
  readonly progress_pct?: number;
  readonly eta_seconds?: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly index_id?: string;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

export interface CallCard {
  readonly at: string;
  readonly client: string;
  readonly door: string;
  readonly operation: string;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly tokens: number;
  readonly ms: number;
  readonly outcome: string;
  readonly paged?: true;
}

export interface OperationStats {
  readonly operation: string;
  readonly calls: number;
  readonly errors: number;
  readonly paged: number;
  readonly bytes_out: number;
  readonly tokens: number;
  readonly ms_average: number;
  readonly ms_max: number;
}

export interface Stats {
  readonly days: number;
  readonly calls: number;
  readonly errors: number;
  readonly bytes_out: number;
  readonly tokens: number;
  readonly operations: readonly OperationStats[];
}
