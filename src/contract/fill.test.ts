import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPage } from './fill.ts';

/** Fills a page from rows of the given sizes; an answer's size is the sum of its rows plus a head. */
function fill(sizes: readonly number[], limit: number, budget: number, head = 10) {
  let next = 0;
  return fillPage<number, number>({
    pull: async () => (next < sizes.length ? { row: sizes[next], mark: next++ } : undefined),
    limit,
    build: (rows) => head + rows.reduce((sum, { mark }) => sum + (sizes[mark] ?? 0), 0),
    budget,
    sizeOf: (size) => size,
  });
}

test('takes the most rows that fit, and knows whether there is more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 150 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 20, max: 3000 }),
      async (sizes, limit, budget) => {
        const { rows, more, oversize } = await fill(sizes, limit, budget);
        let best = 0;
        for (let n = 0, sum = 10; n < Math.min(limit, sizes.length); n++) {
          sum += sizes[n] ?? 0;
          if (sum > budget) break;
          best = n + 1;
        }
        expect(rows.length).toBe(sizes.length === 0 ? 0 : Math.max(1, best));
        expect(oversize).toBe(sizes.length > 0 && best === 0);
        expect(more).toBe(sizes.length > rows.length);
      },
    ),
  );
});

test('pulls only what it needs', async () => {
  let pulled = 0;
  await fillPage<number, number>({
    pull: async () => ({ row: 1, mark: pulled++ }),
    limit: 5,
    build: (rows) => rows.length,
    budget: 100,
    sizeOf: () => 1,
  });
  expect(pulled).toBe(6);
});

test('a page of rows of about one size takes few tries', async () => {
  let built = 0;
  const { rows } = await fillPage<number, number>({
    pull: async () => ({ row: 1, mark: 0 }),
    limit: 1000,
    budget: 8000,
    build: (shown) => {
      built++;
      return 100 + shown.reduce((sum, _, at) => sum + 40 + (at % 7), 0);
    },
    sizeOf: (size) => size,
  });
  expect(rows.length).toBe(183);
  expect(built).toBeLessThan(8);
});

test('sizes that jump are found by halving', async () => {
  let built = 0;
  const { rows } = await fillPage<number, number>({
    pull: async () => ({ row: 1, mark: 0 }),
    limit: 1000,
    budget: 8000,
    build: (shown) => {
      built++;
      return shown.length < 421 ? 10 + shown.length : 1_000_000;
    },
    sizeOf: (size) => size,
  });
  expect(rows.length).toBe(420);
  expect(built).toBeLessThan(20);
});
