import type { TreeColumns } from './columns.ts';
import type { Layout } from './layout.ts';

/** The box an arrow key moves to: the nearest one at the top level in that direction. */
export function nextBox(columns: TreeColumns, layout: Layout, from: number, key: string): number {
  const first = columns.firstChild[layout.root] ?? -1;
  const count = columns.childCount[layout.root] ?? 0;
  if (first < 0 || count === 0) return -1;
  if (from < first || from >= first + count) return first;
  const centre = (at: number) => ({
    x: (layout.x[at] ?? 0) + (layout.w[at] ?? 0) / 2,
    y: (layout.y[at] ?? 0) + (layout.h[at] ?? 0) / 2,
  });
  const here = centre(from);
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let at = first; at < first + count; at++) {
    if (at === from || (layout.w[at] ?? 0) <= 0) continue;
    const there = centre(at);
    const dx = there.x - here.x;
    const dy = there.y - here.y;
    const ahead = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[key] ?? 0;
    const aside = key === 'ArrowLeft' || key === 'ArrowRight' ? Math.abs(dy) : Math.abs(dx);
    if (ahead <= 1) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best;
}
