/** The tokens of one model response, and where it is in the session. */
export interface Spent {
  readonly turn: number;
  readonly step: number;
  readonly tokens: number;
  /** Undefined if the model has no price. */
  readonly cost: number | undefined;
}

/** What became of an edit. `pending`: not committed yet, and its file has not been committed without it either. */
export type Fate = 'committed' | 'reverted' | 'lost' | 'pending';

export interface PlacedEdit {
  readonly turn: number;
  readonly step: number;
  readonly path: string;
  readonly fate: Fate;
  /** The commit that contains the edit; for a reverted edit, the commit of what replaced it. */
  readonly commit: number | undefined;
}

/** Why tokens were wasted. */
export type Waste = 'failed' | 'reverted' | 'lost';

/** What was spent on a file for a commit. Without a path: on talk. Without a commit: on work that was not committed. */
export interface Charge {
  readonly commit: number | undefined;
  readonly path: string | undefined;
  readonly waste: Waste | undefined;
  readonly tokens: number;
  readonly cost: number | undefined;
}

/** Tokens and estimated dollars, as far as the models have a price; undefined if none of them has. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number | undefined;
}

export type Sum = Amount & { readonly wasted: Readonly<Record<Waste, Amount>> };

/** The key of a place in a session, for sets. */
export const placeKey = (turn: number, step: number) => `${turn} ${step}`;

/**
 * Charges each response of a session to the next edit of its turn, because it led to that edit; responses after the
 * last edit are charged to the last one. A response whose calls all failed (`failed`) is wasted, and so is one whose
 * edit was reverted or lost. The charges add up to everything that was spent.
 */
export function chargeEdits(
  spent: readonly Spent[],
  edits: readonly PlacedEdit[],
  failed: ReadonlySet<string>,
): readonly Charge[] {
  const byTurn = new Map<number, PlacedEdit[]>();
  for (const edit of edits) byTurn.set(edit.turn, [...(byTurn.get(edit.turn) ?? []), edit]);
  const charges = new Map<string, Charge>();
  for (const { turn, step, tokens, cost } of spent) {
    const inTurn = byTurn.get(turn) ?? [];
    const edit = inTurn.find((one) => one.step >= step) ?? inTurn.at(-1);
    const waste = failed.has(placeKey(turn, step)) ? 'failed' : wasteOf(edit?.fate);
    const key = `${edit?.commit} ${waste} ${edit?.path}`;
    const known = charges.get(key) ?? { tokens: 0, cost: undefined };
    charges.set(key, {
      ...{ commit: edit?.commit, path: edit?.path, waste },
      ...{ tokens: known.tokens + tokens, cost: costOf([known, { cost }]) },
    });
  }
  return [...charges.values()];
}

function costOf(parts: readonly Pick<Amount, 'cost'>[]): number | undefined {
  const priced = parts.flatMap(({ cost }) => cost ?? []);
  return priced.length === 0 ? undefined : priced.reduce((sum, cost) => sum + cost, 0);
}

function wasteOf(fate: Fate | undefined): Waste | undefined {
  return fate === 'reverted' || fate === 'lost' ? fate : undefined;
}

/** The sum of the charges, and how much of it was wasted. */
export function sumOf(charges: readonly Charge[]): Sum {
  const amount = (waste?: Waste) => {
    const counted = waste === undefined ? charges : charges.filter((one) => one.waste === waste);
    return {
      tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: counted.length === 0 ? 0 : costOf(counted),
    };
  };
  return {
    ...amount(),
    wasted: { failed: amount('failed'), reverted: amount('reverted'), lost: amount('lost') },
  };
}
