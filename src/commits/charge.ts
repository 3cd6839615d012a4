/** The tokens of one response of a model, by its place. */
export interface Spent {
  readonly turn: number;
  readonly step: number;
  readonly tokens: number;
  readonly cost: number;
}

/** What became of an edit: `pending` is not committed yet, and its file has not been committed without it either. */
export type Fate = 'committed' | 'reverted' | 'lost' | 'pending';

export interface PlacedEdit {
  readonly turn: number;
  readonly step: number;
  readonly path: string;
  readonly fate: Fate;
  /** The commit that the edit ended in, or for one that was reverted, the commit of what came instead. */
  readonly commit: number | undefined;
}

/** Why what was spent is in nothing that was kept. */
export type Waste = 'failed' | 'reverted' | 'lost';

/** What was spent on a file for a commit; without a path on talk, without a commit on what was not committed. */
export interface Charge {
  readonly commit: number | undefined;
  readonly path: string | undefined;
  readonly waste: Waste | undefined;
  readonly tokens: number;
  readonly cost: number;
}

/** Tokens and estimated dollars. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

export type Sum = Amount & { readonly wasted: Readonly<Record<Waste, Amount>> };

/** How a place in a session is called in a set. */
export const placeKey = (turn: number, step: number) => `${turn} ${step}`;

/**
 * Charges each response of a session to an edit: the next one of its turn, because the response led to it; after the
 * last one to that one. A response whose calls all failed (`failed`) is wasted, and so is one whose edit was reverted or
 * lost. The charges add up to everything that was spent.
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
    const known = charges.get(key) ?? { tokens: 0, cost: 0 };
    charges.set(key, {
      ...{ commit: edit?.commit, path: edit?.path, waste },
      ...{ tokens: known.tokens + tokens, cost: known.cost + cost },
    });
  }
  return [...charges.values()];
}

function wasteOf(fate: Fate | undefined): Waste | undefined {
  return fate === 'reverted' || fate === 'lost' ? fate : undefined;
}

/** What charges add up to, and how much of it was wasted. */
export function sumOf(charges: readonly Charge[]): Sum {
  const amount = (waste?: Waste) => {
    const counted = waste === undefined ? charges : charges.filter((one) => one.waste === waste);
    return {
      tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: counted.reduce((sum, { cost }) => sum + cost, 0),
    };
  };
  return {
    ...amount(),
    wasted: { failed: amount('failed'), reverted: amount('reverted'), lost: amount('lost') },
  };
}
