import { expect, onTestFinished, test } from 'vitest';
import { createQueryProcesses } from '../query-processes.ts';
import { limitsFrom, QUERY_LIMITS } from './query-limits.ts';

/** Sorts about 80 MB. */
const query = `with recursive n(value) as (select 1 union all select value + 1 from n where value < 100000)
  select count(*), max(text) > '' from (select printf('%.800d', value * 7919 % 1000003) text from n order by text limit 99999)`;

async function answer(limits = QUERY_LIMITS) {
  const processes = createQueryProcesses(limits);
  onTestFinished(() => processes.close());
  const { signal } = new AbortController();
  const settings = { prices: {} };
  const request = { query, reads: {}, now: 0, zone: 'UTC', settings, databases: {}, disk: [], found: [] };
  return processes.run(request, signal);
}

test('a large sort goes to temporary files, which are limited', async () => {
  expect((await answer()).rows).toEqual([[99_999, 1]]);
  await expect(answer({ ...QUERY_LIMITS, files: 5_000_000 })).rejects.toThrow(
    'too much temporary disk space',
  );
});

test('limits come as a text, and there are always some', () => {
  expect(limitsFrom('5,7')).toEqual({ memory: 5, files: 7 });
  expect(limitsFrom(undefined)).toEqual(QUERY_LIMITS);
  expect(limitsFrom('x')).toEqual(QUERY_LIMITS);
});
