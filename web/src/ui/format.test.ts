import { expect, test } from 'vitest';
import { moneyText } from './format.ts';

test('amounts of money', () => {
  expect([0, 0.004, 0.005, 1, 12.345, 1037.888, 1_234_567.5, -3.2].map(moneyText)).toEqual([
    '$0.00',
    '<$0.01',
    '$0.01',
    '$1.00',
    '$12.35',
    '$1,037.89',
    '$1,234,567.50',
    '-$3.20',
  ]);
});
