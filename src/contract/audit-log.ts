import type { ErrorCode } from './errors.ts';

/** One call as the audit keeps it: sizes and outcome, never argument values. */
export interface AuditEntry {
  readonly at: number;
  readonly client: string;
  readonly door: string;
  readonly operation: string;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly tokens: number;
  readonly ms: number;
  /** `cancelled`: the caller went away before there was an answer. */
  readonly outcome: 'ok' | 'cancelled' | ErrorCode;
  /** True when the call continued an earlier answer. */
  readonly paged: boolean;
}

/** What a call was about, redacted and cut. It stays in memory: people look at it, the disk never has it. */
export interface CallGlance {
  readonly asked: string;
  /** Rows of the answer, where it has rows. */
  readonly rows?: number | undefined;
  /** How the answer begins. */
  readonly answered: string;
}

export interface AuditLog {
  record(entry: AuditEntry, glance?: CallGlance): void;
}
