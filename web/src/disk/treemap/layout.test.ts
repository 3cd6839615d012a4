import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TreeColumns, withChildren } from './columns.ts';
import { hasTitle, layoutTree, nodeAt } from './layout.ts';

/** A tree in the order of the server: breadth first, children next to each other, largest first. */
function treeOf(shape: readonly (readonly number[])[]): TreeColumns {
  const parents = [0];
  const sizes = [0];
  const kinds = [-1];
  for (const files of shape) {
    parents.push(0);
    sizes.push(files.reduce((sum, size) => sum + size, 0));
    kinds.push(-1);
  }
  const order = sizes.slice(1).map((size, i) => ({ size, files: shape[i] ?? [] }));
  order.sort((a, b) => b.size - a.size);
  order.forEach(({ size }, i) => {
    sizes[i + 1] = size;
  });
  order.forEach(({ files }, i) => {
    for (const size of [...files].sort((a, b) => b - a)) {
      parents.push(i + 1);
      sizes.push(size);
      kinds.push(0);
    }
  });
  sizes[0] = order.reduce((sum, { size }) => sum + size, 0);
  return withChildren({
    count: parents.length,
    parents: Int32Array.from(parents),
    sizes: Float64Array.from(sizes),
    kinds: Int16Array.from(kinds),
    times: new Float64Array(parents.length),
    name: String,
  });
}

const shapes = fc.array(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 30,
});

test('boxes are inside their folder and do not overlap', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const tree = treeOf(shape);
      const { x, y, w, h, order, shown } = layoutTree(tree, 0, 800, 600);
      const seen = [...order.slice(0, shown)];
      const box = (at: number) => ({ x: x[at] ?? 0, y: y[at] ?? 0, w: w[at] ?? 0, h: h[at] ?? 0 });
      const slack = 0.05;
      for (const at of seen.slice(1)) {
        const own = box(at);
        const outer = box(tree.parents[at] ?? 0);
        expect(own.x).toBeGreaterThanOrEqual(outer.x - slack);
        expect(own.y).toBeGreaterThanOrEqual(outer.y - slack);
        expect(own.x + own.w).toBeLessThanOrEqual(outer.x + outer.w + slack);
        expect(own.y + own.h).toBeLessThanOrEqual(outer.y + outer.h + slack);
      }
      const top = seen.filter((at) => at !== 0 && tree.parents[at] === 0).map(box);
      top.forEach((a, i) => {
        for (const b of top.slice(i + 1)) {
          const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
          expect(Math.min(across, down)).toBeLessThanOrEqual(slack);
        }
      });
    }),
    { numRuns: 60 },
  );
});

test('the area of a box is proportional to its size', () => {
  const { w, h } = layoutTree(treeOf([[300], [100], [100]]), 0, 500, 400);
  const area = (at: number) => (w[at] ?? 0) * (h[at] ?? 0);
  expect(area(1)).toBeCloseTo(120_000, -2);
  expect(area(2)).toBeCloseTo(40_000, -2);
});

test('the innermost box under a point is found', () => {
  const tree = treeOf([[10, 10], [5]]);
  const layout = layoutTree(tree, 0, 400, 300);
  for (let at = 1; at < tree.count; at++) {
    const inner = tree.childCount[at] === 0;
    if (!inner) continue;
    const px = (layout.x[at] ?? 0) + (layout.w[at] ?? 0) / 2;
    const py = (layout.y[at] ?? 0) + (layout.h[at] ?? 0) / 2;
    expect(nodeAt(tree, layout, px, py)).toBe(at);
  }
  expect(nodeAt(tree, layout, -1, 5)).toBe(-1);
});

test('small folders have no title', () => {
  expect(hasTitle(200, 100)).toBe(true);
  expect(hasTitle(20, 100)).toBe(false);
});
