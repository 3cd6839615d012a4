import type { ParsedRecord } from './event.ts';
import type { AssemblerState } from './state.ts';

/** A copied history is written in one burst: if its origin is unknown, later records are the session's own. */
const COPY_BURST_MS = 1500;

/**
 * Tracks a history that was copied in front of a fork's own records. It begins with the header of another session, or
 * with a record that the known origin has too, and ends with the first record that the origin does not have.
 */
export function trackReplay(
  state: AssemblerState,
  record: ParsedRecord,
  hash: number,
  ms: number,
  origin: ReadonlySet<number> | undefined,
): void {
  const { id, relation } = state.facts;
  if (state.replay === undefined) {
    if (state.turns > 0) return;
    const header = record.marks?.includes('session_header') === true;
    const otherThread = header && id !== undefined && record.facts?.id !== id;
    const copied = relation !== undefined && origin?.has(hash) === true;
    if (otherThread || copied) state.replay = { sinceMs: ms };
    if (otherThread && relation === undefined) {
      state.facts.relation = 'fork';
      state.facts.parentId = record.facts?.id;
    }
    return;
  }
  if (record.marks?.includes('session_header') === true) return;
  if (origin === undefined) state.blindReplay = true;
  const copied = origin?.has(hash) ?? ms - state.replay.sinceMs <= COPY_BURST_MS;
  if (!copied) state.replay = undefined;
}
