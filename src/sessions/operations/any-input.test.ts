import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { A, B, C, G, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';
import { rowsOf } from '../../contract/operation.ts';
import { SESSION_OPERATIONS } from './index.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('answers fit any budget and are never broken', async () => {
  const input = fc.record({
    operation: fc.constantFrom(...SESSION_OPERATIONS.map((operation) => operation.name)),
    session_id: fc.constantFrom(A, B, C, G, 'aaaaaaaa', 'nothing'),
    index: fc.nat(20),
    query: fc.constantFrom('e', 'npm', 'line of code', '文', '.', 'zzz'),
    budget: fc.integer({ min: 2_000, max: 12_000 }),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ operation, session_id, index, query, budget }) => {
      const declared = SESSION_OPERATIONS.find((candidate) => candidate.name === operation);
      const taken = declared?.input.shape ?? {};
      const all = {
        session_id,
        turn_index: index % 3,
        event_index: index,
        query,
        pattern: query,
        path: '/srv/app',
        a: A,
        b: session_id,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([name]) => name in taken));
      const { size, ok, error, data } = await desk.ask(operation, given, { budget });
      expect(size).toBeLessThanOrEqual(budget);
      if (!ok) expect(error.code).not.toBe('internal_error');
      const list = ok && declared?.rows !== undefined ? rowsOf(declared, data) : [];
      for (const row of list ?? [{ none: 'no rows where they are declared' }])
        expect(declared?.columns).toEqual(expect.arrayContaining(Object.keys(row)));
    }),
    { numRuns: 150 },
  );
});
