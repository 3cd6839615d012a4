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
  readonly build: (rows: readonly Pulled<Mark>[], more: boolean) => Built;
  readonly fits: (built: Built) => boolean;
}

const FIRST_STEP = 8;

/**
 * Takes rows until the limit or the budget is reached. The answer is built for 8, 16, 32 … rows, and where that
 * is too much the largest number that fits is searched by halving, so rows may be of any size.
 */
export async function fillPage<Mark, Built>(spec: Fill<Mark, Built>): Promise<Filled<Mark, Built>> {
  const { pull, limit, build, fits } = spec;
  const pulled: Pulled<Mark>[] = [];
  let ended = false;
  let good = 0;
  for (let step = FIRST_STEP; ; step *= 2) {
    const wanted = Math.min(limit, step);
    // One row more than is shown, to know whether there is more.
    while (!ended && pulled.length <= wanted) {
      const next = await pull();
      if (next === undefined) ended = true;
      else pulled.push(next);
    }
    const count = Math.min(wanted, pulled.length);
    const more = pulled.length > count;
    const built = build(pulled.slice(0, count), more);
    if (!fits(built)) break;
    if (ended || count === limit) return { built, rows: pulled.slice(0, count), more, oversize: false };
    good = count;
  }
  let bad = Math.min(limit, pulled.length);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (fits(build(pulled.slice(0, middle), true))) good = middle;
    else bad = middle;
  }
  const count = Math.max(1, good);
  const rows = pulled.slice(0, count);
  const more = pulled.length > count;
  return { built: build(rows, more), rows, more, oversize: good === 0 && pulled.length > 0 };
}
