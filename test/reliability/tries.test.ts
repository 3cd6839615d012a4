import { expect, test } from 'vitest';
import { isHeld, readKept, rowsOf } from './document.ts';
import { TRIES } from './tries.ts';

const all = Object.values(TRIES).flat();
const { rows } = readKept();

test('everything that was tried by hand is tried again by a test, and held', () => {
  expect(all).toHaveLength(116);
  const failing = all
    .filter(({ open }) => open === undefined)
    .flatMap((one) =>
      rowsOf(one, rows).flatMap((found, n) =>
        isHeld(one, found)
          ? []
          : [`${one.tried}: ${one.tests[n]?.join(' ')}: ${found.length === 0 ? 'no result' : 'not held'}`],
      ),
    );
  expect(failing).toEqual([]);
});

test('what does not hold is said, and was tried', () => {
  const open = all.filter((one) => one.open !== undefined);
  expect(open.map(({ tried }) => tried)).toEqual([]);
  for (const one of open) for (const found of rowsOf(one, rows)) expect(found.length).toBeGreaterThan(0);
});
