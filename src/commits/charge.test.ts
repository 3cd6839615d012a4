import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeCommits } from './charge.ts';

const spent = (turn: number, step: number, tokens: number) => ({ turn, step, tokens, cost: tokens / 100 });

test('a response is charged to the next edit of its turn, after the last one to that one', () => {
  const sums = chargeCommits(
    [spent(0, 0, 1), spent(0, 1, 2), spent(0, 2, 4), spent(0, 3, 8), spent(1, 0, 16), spent(2, 0, 32)],
    [
      { turn: 0, step: 1, commit: 7 },
      { turn: 0, step: 2, commit: 8 },
      { turn: 2, step: 5, commit: undefined },
    ],
  );
  expect(Object.fromEntries([...sums].map(([commit, { tokens }]) => [String(commit), tokens]))).toEqual({
    7: 3,
    8: 12,
    undefined: 48,
  });
});

test('nothing is lost and nothing is counted twice', () => {
  const place = { turn: fc.nat(5), step: fc.nat(8) };
  const responses = fc.array(fc.record({ ...place, tokens: fc.nat(1e6), cost: fc.constant(0) }));
  const edits = fc.array(fc.record({ ...place, commit: fc.option(fc.nat(4), { nil: undefined }) }));
  fc.assert(
    fc.property(responses, edits, (all, changes) => {
      const sum = [...chargeCommits(all, changes).values()].reduce((total, one) => total + one.tokens, 0);
      expect(sum).toBe(all.reduce((total, one) => total + one.tokens, 0));
    }),
  );
});
