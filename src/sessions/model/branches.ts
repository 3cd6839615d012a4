import type { Gathered } from './assembler.ts';
import type { ParsedRecord } from './event.ts';
import type { AssemblerState } from './state.ts';
import { rewindTurns } from './turn-building.ts';

/** Records are remembered this far back. */
const KEPT = 4000;

/** Keeps the turn of a record, for those that follow it by name. */
export function rememberLink(state: AssemblerState, { link }: ParsedRecord): void {
  if (link === undefined) return;
  state.links.set(link.id, state.turn?.index ?? -1);
  if (state.links.size <= KEPT) return;
  let spare = KEPT / 4;
  for (const id of state.links.keys()) {
    if (spare-- <= 0) return;
    state.links.delete(id);
  }
}

/** A prompt that follows an earlier record than the last one begins a branch: the turns after that one are left. */
export function leaveBranch(state: AssemblerState, { link }: ParsedRecord, gathered: Gathered): void {
  const turn = link?.parent === undefined ? undefined : state.links.get(link.parent);
  if (turn !== undefined && turn < state.turns - 1) rewindTurns(state, turn + 1, gathered);
}

/** The client takes turns back. */
export function rewind(
  state: AssemblerState,
  to: NonNullable<ParsedRecord['rewind']>,
  gathered: Gathered,
): void {
  const from = 'turns' in to ? state.turns - to.turns : (state.links.get(to.toMessage) ?? state.turns);
  rewindTurns(state, from, gathered);
}
