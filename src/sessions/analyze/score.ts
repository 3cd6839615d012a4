import type { Lens, Penalty } from './analyze.ts';

/** A penalty of some points per finding, at most `most`; none when nothing was found. */
export function penalty(
  lens: Lens,
  times: number,
  each: number,
  most: number,
  reason: string,
): readonly Penalty[] {
  return times <= 0 ? [] : [{ lens, points: Math.min(most, times * each), reason }];
}
