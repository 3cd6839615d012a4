import { at, float64At, int32At } from '../../contract/at.ts';
import type { Declaration } from './chunk.ts';

/** Sizes in lines; retrieval measured best with fifty. */
const TARGET_LINES = 50;
const MAX_LINES = 60;
/** A longer line is data rather than text, and counts as several. */
const LONG_LINE_CHARACTERS = 200;

/** The cost of a cut; one before a top-level declaration is free. */
const CUT_COST = { nowhere: 3, blank: 1.5, deep: 0.8, inner: 0.4, top: 0, any: 0.15 } as const;

/** A range of lines, from 0, end excluded. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a file into ranges of about fifty lines, at declarations where possible. The cheapest set of cuts is found over
 * the whole file, so that a small function is not split just because a greedy cut came too early.
 */
export function partition(lines: readonly string[], declarations: readonly Declaration[]): LineRange[] {
  const size = sizes(lines);
  if (float64At(size, lines.length) <= MAX_LINES)
    return lines.length === 0 ? [] : [{ from: 0, to: lines.length }];
  const cuts = cutCosts(lines, declarations);
  const places = cutPlaces(size, cuts);
  const cost = new Float64Array(places.length).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(places.length);
  cost[0] = 0;
  for (let end = 1; end < places.length; end++) {
    const to = at(places, end);
    const cut = end === places.length - 1 ? 0 : float64At(cuts, to);
    for (let start = end - 1; start >= 0; start--) {
      const length = float64At(size, to) - float64At(size, at(places, start));
      if (length > MAX_LINES && start < end - 1) break;
      const off = Math.abs(length - TARGET_LINES) / TARGET_LINES;
      const total = float64At(cost, start) + off * off + CUT_COST.any + cut;
      if (total < float64At(cost, end)) {
        cost[end] = total;
        previous[end] = start;
      }
    }
  }
  const ranges: LineRange[] = [];
  for (let end = places.length - 1; end > 0; end = int32At(previous, end)) {
    ranges.push({ from: at(places, int32At(previous, end)), to: at(places, end) });
  }
  return ranges.reverse();
}

/** Where cuts are considered: start, end, every good place, and any line if good places are too far apart. */
function cutPlaces(size: Float64Array, cuts: Float64Array): number[] {
  const places = [0];
  for (let at = 1; at < size.length - 1; at++) {
    const far = float64At(size, at + 1) - float64At(size, places.at(-1) ?? 0) > MAX_LINES / 4;
    if (float64At(cuts, at) < CUT_COST.nowhere || far) places.push(at);
  }
  places.push(size.length - 1);
  return places;
}

/** The number of lines before each line, counting long lines several times. */
function sizes(lines: readonly string[]): Float64Array {
  const before = new Float64Array(lines.length + 1);
  for (const [at, line] of lines.entries()) {
    before[at + 1] =
      float64At(before, at) + Math.min(MAX_LINES, Math.max(1, line.length / LONG_LINE_CHARACTERS));
  }
  return before;
}

/** The cost of a cut before each line. */
function cutCosts(lines: readonly string[], declarations: readonly Declaration[]): Float64Array {
  const costs = new Float64Array(lines.length + 1).fill(CUT_COST.nowhere);
  for (let line = 1; line < lines.length; line++)
    if (at(lines, line - 1).trim() === '') costs[line] = CUT_COST.blank;
  const lower = (line: number, cost: number): void => {
    if (cost < float64At(costs, line)) costs[line] = cost;
  };
  for (const { from, to, level, kind } of declarations) {
    if (kind === 'value' && level > 0) continue;
    lower(from, level === 0 ? CUT_COST.top : level === 1 ? CUT_COST.inner : CUT_COST.deep);
    if (level === 0) lower(to, CUT_COST.inner);
  }
  return costs;
}
