/** The tokens of one response of a model, by its place. */
export interface Spent {
  readonly turn: number;
  readonly step: number;
  readonly tokens: number;
  readonly cost: number;
}

export interface PlacedEdit {
  readonly turn: number;
  readonly step: number;
  /** The commit that the edit ended in; undefined if it was not committed. */
  readonly commit: number | undefined;
}

export interface Sum {
  readonly tokens: number;
  readonly cost: number;
}

/**
 * Charges each response of a session to a commit: that of the next edit in the same turn, because the response led to
 * it; after the last edit that of the last one. What led to no committed edit is under undefined. The sums add up to
 * everything that was spent.
 */
export function chargeCommits(
  spent: readonly Spent[],
  edits: readonly PlacedEdit[],
): ReadonlyMap<number | undefined, Sum> {
  const byTurn = new Map<number, PlacedEdit[]>();
  for (const edit of edits) byTurn.set(edit.turn, [...(byTurn.get(edit.turn) ?? []), edit]);
  const sums = new Map<number | undefined, Sum>();
  for (const { turn, step, tokens, cost } of spent) {
    const inTurn = byTurn.get(turn) ?? [];
    const { commit } = inTurn.find((edit) => edit.step >= step) ?? inTurn.at(-1) ?? { commit: undefined };
    const sum = sums.get(commit) ?? { tokens: 0, cost: 0 };
    sums.set(commit, { tokens: sum.tokens + tokens, cost: sum.cost + cost });
  }
  return sums;
}
