import type { UsageCard } from './types.ts';

/** A group with its tokens and cost: one row of a table. */
export type UsageRow = NonNullable<UsageCard['parts']>[number] & { readonly title?: string | undefined };

/** The parts of all rows, such as the models of all days, summed up; largest first. */
export function partsOf(rows: readonly UsageCard[], by: 'cost' | 'tokens'): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const part of rows.flatMap((row) => row.parts ?? [])) {
    const sum = sums.get(part.group);
    sums.set(part.group, sum === undefined ? part : plus(sum, part));
  }
  const size = (row: UsageRow) => (by === 'cost' ? (row.cost_usd ?? 0) : row.total);
  return [...sums.values()].sort((a, b) => size(b) - size(a) || (a.group < b.group ? -1 : 1));
}

/** Undefined if neither agent records this kind of tokens. */
function sumOfKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

function plus(a: UsageRow, b: UsageRow): UsageRow {
  const priced = a.cost_usd !== undefined || b.cost_usd !== undefined;
  return {
    group: a.group,
    input: a.input + b.input,
    output: a.output + b.output,
    cache_write: sumOfKnown(a.cache_write, b.cache_write),
    cached: sumOfKnown(a.cached, b.cached),
    total: a.total + b.total,
    responses: a.responses + b.responses,
    lower_bound: a.lower_bound ?? b.lower_bound,
    cost_usd: priced ? (a.cost_usd ?? 0) + (b.cost_usd ?? 0) : undefined,
  };
}
