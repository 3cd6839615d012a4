/** A row and whatever is needed to continue after it. */
export interface Pulled<Mark> {
  readonly row: unknown;
  readonly mark: Mark;
}

export interface Filled<Mark, Built> {
  readonly built: Built;
  readonly rows: readonly Pulled<Mark>[];
  readonly more: boolean;
  /** True when not even one row fitted: `built` holds one row, and the caller has to cut it. */
  readonly oversize: boolean;
}

interface Fill<Mark, Built> {
  /** The next row, or undefined at the end. */
  readonly pull: () => Promise<Pulled<Mark> | undefined>;
  readonly limit: number;
  readonly budget: number;
  readonly build: (rows: readonly Pulled<Mark>[], more: boolean) => Built;
  readonly sizeOf: (built: Built) => number;
}

const FIRST_ROWS = 8;
/** What a row has in most lists: the first try takes as many as should fit, since a second one costs as much again. */
const USUAL_BYTES = 200;
/** The next try takes at most this many times as many rows: the first ones may be smaller than the rest. */
const MAX_GROWTH = 4;
/** After this many tries the rows are of such different sizes that halving finds the number sooner. */
const MAX_GUESSES = 6;

/** A number of rows that was tried, and the size of the answer with them. */
interface Tried {
  readonly count: number;
  readonly size: number;
}

/**
 * Takes rows until the limit or the budget is reached. Building an answer costs, so each try takes as many rows as
 * should fit by the sizes of the tries before it.
 */
export async function fillPage<Mark, Built>(spec: Fill<Mark, Built>): Promise<Filled<Mark, Built>> {
  const { pull, limit, budget, build, sizeOf } = spec;
  const pulled: Pulled<Mark>[] = [];
  let ended = false;
  const pullUpTo = async (count: number) => {
    while (!ended && pulled.length < count) {
      const next = await pull();
      if (next === undefined) ended = true;
      else pulled.push(next);
    }
  };
  let good: Tried = { count: 0, size: 0 };
  let bad: Tried | undefined;
  let wanted = Math.min(limit, Math.max(FIRST_ROWS, Math.floor(budget / USUAL_BYTES)));
  for (let tries = 1; ; tries++) {
    // One row more than is shown, to know whether there is more.
    await pullUpTo(wanted + 1);
    const rows = pulled.slice(0, wanted);
    const more = pulled.length > rows.length;
    const built = build(rows, more);
    const tried = { count: rows.length, size: sizeOf(built) };
    const fits = tried.size <= budget;
    if (fits && (!more || wanted === limit || wanted + 1 === bad?.count))
      return { built, rows, more, oversize: false };
    if (fits) good = tried;
    else bad = tried;
    if (bad !== undefined && bad.count - good.count <= 1) break;
    wanted = nextCount(good, bad, tries, spec);
  }
  // The answer that was built last did not fit.
  const rows = pulled.slice(0, Math.max(1, good.count));
  const more = pulled.length > rows.length;
  return { built: build(rows, more), rows, more, oversize: good.count === 0 && pulled.length > 0 };
}

/** How many rows to try next: between those that fit and those that do not, where their sizes say. */
function nextCount(
  good: Tried,
  bad: Tried | undefined,
  tries: number,
  { budget, limit }: { readonly budget: number; readonly limit: number },
): number {
  const { count, size } = good;
  if (bad === undefined) {
    const expected = Math.floor((count * budget) / Math.max(1, size));
    return Math.min(limit, count * MAX_GROWTH, Math.max(count + 1, expected));
  }
  const each = (bad.size - size) / (bad.count - count);
  const expected =
    tries < MAX_GUESSES ? count + Math.floor((budget - size) / each) : Math.floor((count + bad.count) / 2);
  return Math.min(bad.count - 1, Math.max(count + 1, expected));
}
