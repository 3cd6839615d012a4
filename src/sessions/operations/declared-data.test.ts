import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { A, B, C, G, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';
import { columnsOf, rowsOf } from '../../contract/operation.ts';
import { SESSION_OPERATIONS } from './index.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

/** What each operation needs to answer about the sample. */
const INPUTS: Readonly<Record<string, readonly object[]>> = {
  get_turn_steps: [{ session_id: A, turn_index: 0 }],
  get_session_turns: [{ session_id: A, include_reasoning: true }],
  get_event_details: [
    { session_id: A, event_index: 3 },
    { session_id: A, event_index: 3, grep: 'last' },
  ],
  search_event_previews: [{ query: 'npm' }],
  search_events: [{ pattern: 'npm', include_full_payload: true }],
  file_history: [{ path: '/srv/app' }],
  compare_sessions: [
    { a: A, b: B },
    { a: A, b: G },
  ],
  get_session_details: ['summary', 'turns', 'steps', 'full'].map((detail_level) => ({
    session_id: A,
    detail_level,
  })),
  get_session_by_id: [{ session_id: A, detail_level: 'steps', turn_index: 1 }],
  usage: [{ by: 'day' }, { by: 'model' }],
};

test.each(SESSION_OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s answers with the data that it declares',
  async (name, { input, data: declared, access }) => {
    const everySession =
      'session_id' in input.shape ? [A, B, C, G].map((session_id) => ({ session_id })) : [{}];
    for (const given of INPUTS[name] ?? everySession) {
      for (const door of [access === 'person' ? 'page' : 'rest', 'cli'] as const) {
        const answer = await desk.ask(name, { ...given }, { budget: 1_000_000, door });
        expect(answer.ok, JSON.stringify(answer.error)).toBe(true);
        // Parsing drops fields that are not declared.
        expect(declared?.parse(answer.data)).toEqual(answer.data);
      }
    }
  },
);

test('every input is described', () => {
  const silent = SESSION_OPERATIONS.flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    return Object.entries(properties).flatMap(([field, schema]) =>
      typeof schema === 'object' && schema.description ? [] : [`${name}.${field}`],
    );
  });
  expect(silent).toEqual([]);
});

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
        expect(declared && columnsOf(declared)).toEqual(expect.arrayContaining(Object.keys(row)));
    }),
    { numRuns: 150 },
  );
});
