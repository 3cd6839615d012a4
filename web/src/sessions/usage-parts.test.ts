import { expect, test } from 'vitest';
import type { UsageCard } from './types.ts';
import { partsOf } from './usage-parts.ts';

const part = (group: string, total: number, cost_usd?: number) => ({
  group,
  total,
  input: total - 2,
  output: 2,
  cache_write: 0,
  cached: 0,
  responses: 1,
  ...(cost_usd !== undefined && { cost_usd }),
});

function day(group: string, parts: readonly ReturnType<typeof part>[]): UsageCard {
  return { ...part(group, 0), reasoning: 0, models: [], parts };
}

test('parts of all days are added up, the largest first', () => {
  const days = [
    day('2026-11-16', [part('opus', 10, 3), part('local', 50)]),
    day('2026-11-15', [part('opus', 30, 1)]),
  ];
  expect(partsOf(days, 'tokens').map(({ group, total }) => [group, total])).toEqual([
    ['local', 50],
    ['opus', 40],
  ]);
  expect(partsOf(days, 'cost')).toMatchObject([
    { group: 'opus', cost_usd: 4, input: 36, output: 4, responses: 2 },
    { group: 'local', total: 50 },
  ]);
});
