import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeEdits, type Fate, type PlacedEdit, placeKey, sumOf } from './charge.ts';
import { sumText } from './operations/commit-costs.ts';

const spent = (turn: number, step: number, tokens: number) => ({ turn, step, tokens, cost: tokens / 100 });
const edit = (turn: number, step: number, fate: Fate, commit?: number, path = 'a.ts'): PlacedEdit => ({
  ...{ turn, step, fate, commit, path },
});

test('a response is charged to the next edit of its turn, after the last one to that one', () => {
  const charges = chargeEdits(
    [spent(0, 0, 1), spent(0, 1, 2), spent(0, 2, 4), spent(0, 3, 8), spent(1, 0, 16), spent(2, 0, 32)],
    [edit(0, 1, 'committed', 7), edit(0, 2, 'committed', 8, 'b.ts'), edit(2, 5, 'lost')],
    new Set(),
  );
  expect(charges.map(({ commit, path, waste, tokens }) => [commit, path, waste, tokens])).toEqual([
    [7, 'a.ts', undefined, 3],
    [8, 'b.ts', undefined, 12],
    [undefined, undefined, undefined, 16],
    [undefined, 'a.ts', 'lost', 32],
  ]);
});

test('failed calls and reverted edits are wasted, also for the commit that they led to', () => {
  const charges = chargeEdits(
    [spent(0, 0, 1), spent(0, 1, 2), spent(0, 2, 4), spent(0, 3, 8)],
    [edit(0, 1, 'reverted', 7), edit(0, 3, 'committed', 7)],
    new Set([placeKey(0, 2)]),
  );
  expect(sumOf(charges.filter(({ commit }) => commit === 7))).toMatchObject({
    tokens: 15,
    wasted: { failed: { tokens: 4 }, reverted: { tokens: 3 }, lost: { tokens: 0 } },
  });
});

test('nothing is lost and nothing is counted twice: by commit, by file, kept and wasted', () => {
  const place = { turn: fc.nat(5), step: fc.nat(8) };
  const responses = fc.array(fc.record({ ...place, tokens: fc.nat(1e6), cost: fc.constant(0) }));
  const edits = fc.array(
    fc.record({
      ...place,
      path: fc.constantFrom('a', 'b', 'c'),
      fate: fc.constantFrom<Fate>('committed', 'reverted', 'lost', 'pending'),
      commit: fc.option(fc.nat(4), { nil: undefined }),
    }),
  );
  const failures = fc.array(fc.record(place));
  fc.assert(
    fc.property(responses, edits, failures, (all, changes, failed) => {
      const whole = all.reduce((total, one) => total + one.tokens, 0);
      const charges = chargeEdits(
        all,
        changes,
        new Set(failed.map(({ turn, step }) => placeKey(turn, step))),
      );
      for (const by of ['commit', 'path', 'waste'] as const) {
        const groups = [...new Set(charges.map((one) => one[by]))].map((name) =>
          sumOf(charges.filter((one) => one[by] === name)),
        );
        expect(groups.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(whole);
      }
      const { tokens, wasted } = sumOf(charges);
      const kept = charges.filter(({ waste }) => waste === undefined);
      const parts = [sumOf(kept), wasted.failed, wasted.reverted, wasted.lost];
      expect(tokens).toBe(whole);
      expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(whole);
    }),
  );
});

test('without a price there is no cost; a sum has that of the responses with one', () => {
  const unpriced = [
    { turn: 0, step: 0, tokens: 5, cost: undefined },
    { turn: 0, step: 1, tokens: 7, cost: undefined },
  ];
  const edits = [edit(0, 1, 'committed', 7)];
  expect(sumOf(chargeEdits(unpriced, edits, new Set()))).toMatchObject({ tokens: 12, cost: undefined });
  expect(sumOf(chargeEdits([...unpriced, spent(0, 1, 100)], edits, new Set()))).toMatchObject({
    tokens: 112,
    cost: 1,
  });
  expect(sumOf([])).toMatchObject({ tokens: 0, cost: 0 });
});

test('a sum without a known cost shows no dollars', () => {
  expect(sumText({ tokens: 1_200, cost: 0.5 })).toBe('1.20k tok $0.50');
  expect(sumText({ tokens: 1_200 })).toBe('1.20k tok');
});
