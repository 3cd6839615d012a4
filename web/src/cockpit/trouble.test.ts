import { expect, test } from 'vitest';
import { clashesOf, type Edit, loopsOf } from './trouble.ts';

const edit = (session: string, path: string, at: number): Edit => ({
  session,
  path,
  at,
  event: at,
  turn: 0,
  step: 0,
  added: 1,
  removed: 0,
});

test('a file that two sessions changed is a clash, with the last edit of each', () => {
  const edits = [
    edit('a', 'x', 1),
    edit('b', 'x', 2),
    edit('a', 'x', 3),
    edit('a', 'y', 4),
    edit('a', 'y', 5),
  ];
  expect(clashesOf(edits)).toEqual([{ path: 'x', edits: [edits[2], edits[1]] }]);
});

test('the latest clash comes first', () => {
  const edits = [edit('a', 'x', 1), edit('b', 'x', 2), edit('a', 'y', 3), edit('b', 'y', 4)];
  expect(clashesOf(edits).map(({ path }) => path)).toEqual(['y', 'x']);
});

test('only loops of the last turn count, at the time of their first call', () => {
  const calls = {
    event: [3, 9],
    turn: [0, 1],
    step: [0, 0],
    name: [0, 0],
    kind: [0, 0],
    status: [0, 0],
    time: [100, 200],
    duration: [10, 10],
  };
  const loop = (turn_index: number, event_index: number) =>
    ({ turn_index, event_index, step_index: 0, severity: 'warning', lens: 'loops', message: 'm' }) as const;
  expect(loopsOf('a', [loop(0, 3), loop(1, 9)], { calls })).toEqual([
    { session: 'a', turn: 1, step: 0, event: 9, at: 200, message: 'm' },
  ]);
});
