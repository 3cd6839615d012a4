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
  readonly outcome: 'ok' | ErrorCode;
  /** True when the call continued an earlier answer. */
  readonly paged: boolean;
}

export interface AuditLog {
  /** `asked` is the input, redacted and cut. It stays in memory: people look at it, the disk never has it. */
  record(entry: AuditEntry, asked?: string): void;
}
