import type { TreeColumns } from './columns.ts';

/** Where each node is drawn; nodes that are not drawn have no width. */
export interface Layout {
  readonly root: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  readonly depth: Uint8Array;
  /** The visible nodes, outer ones first. */
  readonly order: Int32Array;
  readonly shown: number;
}

/** Height of a folder's title, and the smallest folder that gets one. */
export const TITLE = 17;
const TITLE_MIN = { w: 44, h: 40 } as const;
const EDGE = 2;
/** Smaller boxes, in square pixels, are not drawn. */
const MIN_AREA = 4;

/** True when a folder box is large enough for its name. */
export function hasTitle(w: number, h: number): boolean {
  return w >= TITLE_MIN.w && h >= TITLE_MIN.h;
}

/** Lays out the tree below `root` in nearly square boxes; the cost depends on the visible nodes, not on the tree. */
export function layoutTree(columns: TreeColumns, root: number, width: number, height: number): Layout {
  const { count, sizes, firstChild, childCount } = columns;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const w = new Float32Array(count);
  const h = new Float32Array(count);
  const depth = new Uint8Array(count);
  const order = new Int32Array(count);
  let shown = 0;
  x[root] = 0;
  y[root] = 0;
  w[root] = width;
  h[root] = height;
  order[shown++] = root;

  for (let next = 0; next < shown; next++) {
    const node = order[next] ?? 0;
    const children = childCount[node] ?? 0;
    if (children === 0) continue;
    const boxW = w[node] ?? 0;
    const boxH = h[node] ?? 0;
    // A folder that contains hardly anything but one folder shares its box: nested frames would say nothing.
    const plain = node === root || isChain(columns, node);
    const title = plain ? 0 : hasTitle(boxW, boxH) ? TITLE : EDGE;
    const edge = plain ? 0 : EDGE;
    const innerW = boxW - 2 * edge;
    const innerH = boxH - edge - title;
    if (innerW * innerH < 3 * MIN_AREA || innerW < 3 || innerH < 3) continue;
    const first = firstChild[node] ?? 0;
    const end = first + children;
    let total = 0;
    for (let child = first; child < end; child++) total += sizes[child] ?? 0;
    if (total <= 0) continue;
    const scale = (innerW * innerH) / total;

    let left = (x[node] ?? 0) + edge;
    let top = (y[node] ?? 0) + title;
    let restW = innerW;
    let restH = innerH;
    let from = first;
    while (from < end) {
      if ((sizes[from] ?? 0) * scale < MIN_AREA) break;
      const short = Math.min(restW, restH);
      if (short <= 0) break;
      // Adds children to a strip along the shorter side while their boxes become squarer.
      let sum = (sizes[from] ?? 0) * scale;
      const largest = sum;
      let to = from + 1;
      let worst = ratio(largest, largest, sum, short);
      while (to < end) {
        const area = (sizes[to] ?? 0) * scale;
        const grown = ratio(largest, area, sum + area, short);
        if (grown > worst) break;
        worst = grown;
        sum += area;
        to++;
      }
      const thick = sum / short;
      const across = restW <= restH;
      let along = across ? left : top;
      for (let child = from; child < to; child++) {
        const length = ((sizes[child] ?? 0) * scale) / thick;
        x[child] = across ? along : left;
        y[child] = across ? top : along;
        w[child] = across ? length : thick;
        h[child] = across ? thick : length;
        depth[child] = (depth[node] ?? 0) + 1;
        along += length;
        order[shown++] = child;
      }
      if (across) {
        top += thick;
        restH -= thick;
      } else {
        left += thick;
        restW -= thick;
      }
      from = to;
    }
  }
  return { root, x, y, w, h, depth, order, shown };
}

const NEARLY_ALL = 0.97;

/** True for a folder in which one folder takes nearly all the space. */
export function isChain({ firstChild, kinds, sizes }: TreeColumns, node: number): boolean {
  const first = firstChild[node] ?? -1;
  return first > 0 && kinds[first] === -1 && (sizes[first] ?? 0) >= NEARLY_ALL * (sizes[node] ?? 0);
}

/** The worst aspect ratio in a strip; areas decrease, so it is that of the first or the last box. */
function ratio(largest: number, smallest: number, sum: number, side: number): number {
  const square = side * side;
  const all = sum * sum;
  return Math.max((square * largest) / all, all / (square * Math.max(smallest, 1e-9)));
}

/** The innermost node at a point, or -1. */
export function nodeAt(columns: TreeColumns, layout: Layout, px: number, py: number): number {
  const { x, y, w, h, root } = layout;
  const inside = (at: number) => {
    const dx = px - (x[at] ?? 0);
    const dy = py - (y[at] ?? 0);
    return dx >= 0 && dy >= 0 && dx < (w[at] ?? 0) && dy < (h[at] ?? 0);
  };
  if (!inside(root)) return -1;
  let node = root;
  for (;;) {
    const first = columns.firstChild[node] ?? -1;
    const end = first + (columns.childCount[node] ?? 0);
    let found = -1;
    for (let child = first; child < end && first >= 0; child++) {
      if (inside(child)) {
        found = child;
        break;
      }
    }
    if (found < 0) return node;
    node = found;
  }
}
