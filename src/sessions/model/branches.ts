import type { ParsedRecord } from './event.ts';
import type { Gathered } from './gathered.ts';
import type { AssemblerState } from './state.ts';
import { rewindTurns } from './turn-building.ts';

/** Records to remember. */
const MAX_LINKS = 4000;

/** Remembers the turn of a record, for later records that name it as their predecessor. */
export function rememberLink(
  state: AssemblerState,
  { link }: { readonly link?: { readonly id: string } | undefined },
): void {
  if (link === undefined) return;
  state.links.set(link.id, state.turn?.index ?? -1);
  if (state.links.size <= MAX_LINKS) return;
  let spare = MAX_LINKS / 4;
  for (const id of state.links.keys()) {
    if (spare-- <= 0) return;
    state.links.delete(id);
  }
}

/** A prompt whose predecessor is not the last record starts a branch: the turns after its predecessor are abandoned. */
export function leaveBranch(state: AssemblerState, { link }: ParsedRecord, gathered: Gathered): void {
  const turn = link?.parent === undefined ? undefined : state.links.get(link.parent);
  if (turn !== undefined && turn < state.turns - 1) rewindTurns(state, turn + 1, gathered);
}

/** The user undid turns. */
export function rewind(
  state: AssemblerState,
  to: NonNullable<ParsedRecord['rewind']>,
  gathered: Gathered,
): void {
  const from = 'turns' in to ? state.turns - to.turns : (state.links.get(to.toMessage) ?? state.turns);
  rewindTurns(state, from, gathered);
}
