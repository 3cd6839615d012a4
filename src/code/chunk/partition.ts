import type { Declaration } from './chunk.ts';

/** Sizes in lines; fifty is what retrieval was measured best with. */
const AIM = 50;
const MAX = 60;
/** A longer line is data rather than text and counts as several. */
const LONG_LINE = 200;

/** How much a cut in the middle of things costs; a cut before a top-level declaration is free. */
const COST = { nowhere: 3, blank: 1.5, deep: 0.8, inner: 0.4, top: 0 } as const;

/** A stretch of lines, zero-based, end excluded. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a file into stretches of about fifty lines, at declarations where possible. The cheapest set of cuts is
 * found over the whole file, so that a small function is not torn because a greedy cut came too early.
 */
export function partition(lines: readonly string[], declarations: readonly Declaration[]): Stretch[] {
  const count = lines.length;
  const size = sizes(lines);
  if ((size[count] ?? 0) <= MAX) return count === 0 ? [] : [{ from: 0, to: count }];
  const cut = cutCosts(lines, declarations);
  const cost = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(count + 1);
  cost[0] = 0;
  for (let to = 1; to <= count; to++) {
    for (let from = to - 1; from >= 0; from--) {
      const length = (size[to] ?? 0) - (size[from] ?? 0);
      if (length > MAX && from < to - 1) break;
      const off = Math.abs(length - AIM) / AIM;
      const total = (cost[from] ?? 0) + off * off + 0.15 + (to === count ? 0 : (cut[to] ?? 0));
      if (total < (cost[to] ?? 0)) {
        cost[to] = total;
        previous[to] = from;
      }
    }
  }
  const stretches: Stretch[] = [];
  for (let to = count; to > 0; to = previous[to] ?? 0) stretches.push({ from: previous[to] ?? 0, to });
  return stretches.reverse();
}

/** Lines before each line, long ones counted several times. */
function sizes(lines: readonly string[]): Float64Array {
  const before = new Float64Array(lines.length + 1);
  for (const [at, line] of lines.entries()) {
    before[at + 1] = (before[at] ?? 0) + Math.min(MAX, Math.max(1, line.length / LONG_LINE));
  }
  return before;
}

/** What it costs to cut before each line. */
function cutCosts(lines: readonly string[], declarations: readonly Declaration[]): Float64Array {
  const costs = new Float64Array(lines.length + 1).fill(COST.nowhere);
  for (let at = 1; at < lines.length; at++) if ((lines[at - 1] ?? '').trim() === '') costs[at] = COST.blank;
  const lower = (at: number, cost: number): void => {
    if (cost < (costs[at] ?? 0)) costs[at] = cost;
  };
  for (const { from, to, level, kind } of declarations) {
    if (kind === 'value' && level > 0) continue;
    lower(from, level === 0 ? COST.top : level === 1 ? COST.inner : COST.deep);
    if (level === 0) lower(to, COST.inner);
  }
  return costs;
}
