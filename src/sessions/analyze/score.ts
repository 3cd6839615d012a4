import type { Lens, Penalty } from './analyze.ts';

/** A penalty of `each` points per finding, capped at `most`; none without findings. */
export function penalty(
  lens: Lens,
  times: number,
  each: number,
  most: number,
  reason: string,
): readonly Penalty[] {
  return times <= 0 ? [] : [{ lens, points: Math.min(most, times * each), reason }];
}
