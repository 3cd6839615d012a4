import type { AuditLog } from './audit-log.ts';
import type { Caller } from './caller.ts';
import { type ErrorCode, fromSystem, PinholeError } from './errors.ts';
import type { TakeTurn } from './rate.ts';

/** An answer that is sent as it is found, too large for a page. */
export interface Stream {
  /** The operation whose answer it is. */
  readonly operation: string;
  readonly caller: Pick<Caller, 'client' | 'id' | 'door'>;
  /** Size of the question. */
  readonly bytesIn: number;
}

/** Lets streams through as the engine lets calls through: counted against the caller's rate, and one line each in the audit. */
export type StreamGate = <Outcome>(
  stream: Stream,
  open: () => AsyncIterator<Uint8Array, Outcome>,
) => AsyncGenerator<Uint8Array, Outcome>;

/** A stream holds everything there is, so fewer are allowed than calls that answer with a page. */
const PER_MINUTE = 600;

/** Nobody counts the tokens of a stream; this is what they are in code and prose, nearly enough. */
const BYTES_A_TOKEN = 4;

export function createStreamGate(deps: {
  readonly audit: AuditLog;
  readonly takeTurn: TakeTurn;
  readonly now: () => number;
}): StreamGate {
  return async function* pass({ operation, caller, bytesIn }, open) {
    const started = deps.now();
    let bytes = 0;
    let outcome: 'ok' | ErrorCode = 'ok';
    let pieces: ReturnType<typeof open> | undefined;
    try {
      deps.takeTurn(`${operation} as a stream`, caller.id, PER_MINUTE);
      pieces = open();
      for (;;) {
        const step = await pieces.next();
        if (step.done) return step.value;
        bytes += step.value.length;
        yield step.value;
      }
    } catch (error) {
      const known = error instanceof PinholeError ? error : fromSystem(error);
      outcome = known?.code ?? 'internal_error';
      throw error;
    } finally {
      // Also when the reader stops early.
      await pieces?.return?.();
      deps.audit.record({
        at: started,
        client: caller.client,
        door: caller.door,
        operation,
        bytes_in: bytesIn,
        bytes_out: bytes,
        tokens: Math.round(bytes / BYTES_A_TOKEN),
        ms: deps.now() - started,
        outcome,
        paged: false,
      });
    }
  };
}
