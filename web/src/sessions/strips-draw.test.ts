import { expect, test } from 'vitest';
import { axisAt, nearest, stripLabels, stripModel } from './strips-draw.ts';
import { stripTip } from './strips-tip.ts';
import type { TimelineData, TurnCard } from './types.ts';

const timeline: TimelineData = {
  session_id: 'x',
  names: ['Read', 'Bash'],
  kinds: ['read', 'execute'],
  calls: {
    event: [2, 10, 30],
    turn: [0, 0, 1],
    step: [0, 1, 0],
    name: [0, 1, 1],
    kind: [0, 1, 1],
    status: [0, 1, 0],
    time: [1, 2, 3],
    duration: [400, 42_000, -1],
  },
  responses: {
    event: [30, 2],
    turn: [1, 0],
    step: [0, 0],
    time: [1, 2],
    context: [500, 900],
    output: [1, 1],
  },
};
const turn = (turn_index: number, event_index: number): TurnCard => ({
  turn_index,
  event_index,
  start_time: '2026-03-01T10:00:00Z',
  user_message: '',
  outcome: 'success',
  step_count: 1,
  tools: {},
  failed_tools: 0,
  tokens: 10,
  duration_seconds: 200,
  key_actions: [],
});

test('turns, calls and context are laid out along the events', () => {
  const model = stripModel(timeline, [turn(0, 0), turn(1, 20)], 41);
  expect(model.last).toBe(40);
  expect(model.failed).toBe(1);
  expect(model.peak).toBe(900);
  expect(model.context.map(({ at }) => at)).toEqual([2, 30]);
  expect(model.turns.map(({ from, to }) => [from, to])).toEqual([
    [0, 20],
    [20, 40],
  ]);
});

test('a position gives the nearest call', () => {
  const model = stripModel(timeline, [turn(0, 0)], 41);
  expect(nearest(model, axisAt(model, 0, 400))?.event).toBe(2);
  expect(nearest(model, axisAt(model, 70, 400))?.event).toBe(10);
  expect(nearest(model, axisAt(model, 999, 400))?.event).toBe(30);
  expect(
    nearest(stripModel({ ...timeline, calls: { ...timeline.calls, event: [] } }, [], 5), 3),
  ).toBeUndefined();
});

test('along the clock, an idle hour takes its space', () => {
  const begin = Date.parse('2026-03-01T10:00:00Z');
  const times = {
    ...timeline,
    calls: { ...timeline.calls, time: [begin, begin + 60_000, begin + 3_600_000] },
    responses: { ...timeline.responses, time: [begin, begin] },
  };
  const model = stripModel(times, [turn(0, 0)], 41, 'time');
  expect(model.last).toBe(3_600_000);
  expect(model.calls.map(({ at }) => at)).toEqual([0, 60_000, 3_600_000]);
});

test('each strip has a tip of its own', () => {
  const failed = { ...turn(1, 20), outcome: 'failed' as const, tokens: 4_430_000 };
  const model = stripModel({ ...timeline, context_window: 200_000 }, [turn(0, 0), failed], 41);
  const [context, turns, calls] = stripLabels(model).map(({ top }) => top + 1);
  expect(stripTip(model, 12, context ?? 0)).toBe('context 900 of 200k tokens');
  expect(stripTip(model, 12, turns ?? 0)).toBe('turn 0: 10 tokens, 3m');
  expect(stripTip(model, 25, turns ?? 0)).toBe('turn 1: 4.43M tokens, 3m, failed');
  expect(stripTip(model, 12, calls ?? 0)).toMatch(/^turn 0, step 1: Bash, 42s, failed, \d/);
  expect(stripTip(model, 30, calls ?? 0)).toMatch(/^turn 1, step 0: Bash, \d{4}-/);
});

test('a turn says neither a duration nor tokens that its log does not have', () => {
  const { tokens, duration_seconds, ...unknown } = turn(0, 0);
  const tipOf = (card: TurnCard) => {
    const model = stripModel({ ...timeline, calls: NO_CALLS, responses: NO_RESPONSES }, [card], 41);
    return stripTip(model, 5, 0);
  };
  expect(tipOf({ ...unknown, tokens, duration_seconds })).toBe('turn 0: 10 tokens, 3m');
  expect(tipOf(unknown)).toBe('turn 0');
});

const NO_CALLS = { event: [], turn: [], step: [], name: [], kind: [], status: [], time: [], duration: [] };
const NO_RESPONSES = { event: [], turn: [], step: [], time: [], context: [], output: [] };
