import { expect, test } from 'vitest';
import type { FixedFailure } from '../../sessions/store/fixed-failures.ts';
import { askedError, rankFixes } from './rank-fixes.ts';

const failure = (id: string, error: string, more: Partial<FixedFailure> = {}): FixedFailure => ({
  // Of the session only its id is asked for here.
  session: { id } as FixedFailure['session'],
  ...{ call: 10, turn: 1, ms: 1, action: 'go test', passed: 20, passedAction: 'go test', namedFile: false },
  error,
  ...more,
});

test('failures of tests are the same only if a test is', () => {
  const asked = askedError(
    '--- FAIL: TestCart (0.00s)\n    --- FAIL: TestCart/empty (0.00s)\nFAIL\tshop/cart 0.1s',
  );
  const ranked = rankFixes(asked, [
    failure('a', 'TestPrices/empty; shop/cart'),
    failure('b', 'TestCart/full; shop/cart'),
  ]);
  expect(ranked.map(({ failure: { session }, likeness }) => [session.id, likeness])).toEqual([
    ['b', 'same'],
    ['a', 'class'],
  ]);
});

test('a text that only says that something failed is like nothing', () => {
  const known = [failure('a', 'shop/cart'), failure('b', 'FAIL')];
  for (const output of ['FAIL\tshop/cart\t0.31s\nFAIL', 'FAIL', 'FAIL\tshop/cart [build failed]'])
    expect({ output, found: rankFixes(askedError(output), known) }).toEqual({ output, found: [] });
});

test('of the same errors, one that was fixed at once in the file that it names comes first', () => {
  const error = 'a.go:1:1: Error return value is not checked (errcheck)';
  const ranked = rankFixes(askedError(error), [
    failure('late', error, { passed: 300, namedFile: true }),
    failure('elsewhere', error),
    failure('good', error, { namedFile: true }),
  ]);
  expect(ranked.map(({ failure: { session } }) => session.id)).toEqual(['good', 'late', 'elsewhere']);
});
