import type { Declaration } from './chunk.ts';

/** Sizes in lines; fifty is what retrieval was measured best with. */
const AIM = 50;
const MAX = 60;
/** A longer line is data rather than text and counts as several. */
const LONG_LINE = 200;

/** How much a cut in the middle of things costs; a cut before a top-level declaration is free. */
const COST = { nowhere: 3, blank: 1.5, deep: 0.8, inner: 0.4, top: 0, any: 0.15 } as const;

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
  const size = sizes(lines);
  if ((size[lines.length] ?? 0) <= MAX) return lines.length === 0 ? [] : [{ from: 0, to: lines.length }];
  const cuts = cutCosts(lines, declarations);
  const places = cutPlaces(size, cuts);
  const cost = new Float64Array(places.length).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(places.length);
  cost[0] = 0;
  for (let end = 1; end < places.length; end++) {
    const to = places[end] ?? 0;
    const cut = end === places.length - 1 ? 0 : (cuts[to] ?? 0);
    for (let start = end - 1; start >= 0; start--) {
      const length = (size[to] ?? 0) - (size[places[start] ?? 0] ?? 0);
      if (length > MAX && start < end - 1) break;
      const off = Math.abs(length - AIM) / AIM;
      const total = (cost[start] ?? 0) + off * off + COST.any + cut;
      if (total < (cost[end] ?? 0)) {
        cost[end] = total;
        previous[end] = start;
      }
    }
  }
  const stretches: Stretch[] = [];
  for (let end = places.length - 1; end > 0; end = previous[end] ?? 0) {
    stretches.push({ from: places[previous[end] ?? 0] ?? 0, to: places[end] ?? 0 });
  }
  return stretches.reverse();
}

/** Where cuts are considered: start, end, every good place, and any line where good places are too far apart. */
function cutPlaces(size: Float64Array, cuts: Float64Array): number[] {
  const places = [0];
  for (let at = 1; at < size.length - 1; at++) {
    const far = (size[at + 1] ?? 0) - (size[places.at(-1) ?? 0] ?? 0) > MAX / 4;
    if ((cuts[at] ?? 0) < COST.nowhere || far) places.push(at);
  }
  places.push(size.length - 1);
  return places;
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
