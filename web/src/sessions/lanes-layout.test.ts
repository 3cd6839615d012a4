import { expect, test } from 'vitest';
import { laneLayout } from './lanes-layout.ts';
import type { SubagentCard } from './types.ts';

const agent = (id: string, event: number, tool_calls: number): SubagentCard => ({
  id,
  task: 'look',
  turn: 0,
  event,
  start_time: '2026-03-01T10:00:00Z',
  duration_seconds: 1,
  turns: 1,
  tool_calls,
  failures: 0,
  total_tokens: 10,
});

test('subagents are below their calls, in rows that do not overlap', () => {
  const agents = [agent('a', 0, 9), agent('b', 10, 49), agent('c', 90, 1)];
  const lanes = laneLayout(agents, ({ event }) => event ?? 0, 100, 1000);
  expect(lanes.map(({ left, width, row }) => [left, width, row])).toEqual([
    [0, 200, 0],
    [100, 900, 1],
    [820, 180, 0],
  ]);
});

test('in a narrow space each subagent takes the full width', () => {
  const lanes = laneLayout([agent('a', 5, 1), agent('b', 6, 1)], ({ event }) => event ?? 0, 10, 120);
  expect(lanes.map(({ left, width, row }) => [left, width, row])).toEqual([
    [0, 120, 0],
    [0, 120, 1],
  ]);
});
