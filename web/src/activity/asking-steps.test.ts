import { expect, test } from 'vitest';
import { stepOf } from './asking-steps.ts';

const at = Date.parse('2026-11-14T10:00:00Z');
const logged = [
  { session: 'a', turn: 1, event: 4, ms: at - 2_000, tool: 'mcp__pinhole__sql' },
  { session: 'b', turn: 0, event: 9, ms: at + 500, tool: 'mcp__pinhole__sql' },
  { session: 'c', turn: 0, event: 1, ms: at, tool: 'mcp__pinhole__cd' },
];

test('the nearest call of the same operation within three seconds', () => {
  const call = { timestamp: '2026-11-14T10:00:00Z', operation: 'sql', door: 'mcp' };
  expect(stepOf(call, logged)).toMatchObject({ session: 'b', event: 9 });
  expect(stepOf({ ...call, timestamp: '2026-11-14T10:01:00Z' }, logged)).toBeUndefined();
  expect(stepOf({ ...call, door: 'rest' }, logged)).toBeUndefined();
});
