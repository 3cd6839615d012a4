import { expect, test } from 'vitest';
import { nextFailure, transcriptRows } from './transcript-rows.ts';
import type { TimelineData, TurnCard } from './types.ts';

const turn = (turn_index: number, step_count: number) => ({ turn_index, step_count }) as TurnCard;
const turns = [turn(0, 2), turn(1, 1)];
const timeline = {
  names: ['Bash', 'Edit'],
  kinds: ['execute', 'edit'],
  calls: {
    event: [3, 5, 9],
    turn: [0, 0, 1],
    step: [0, 1, 0],
    name: [0, 1, 0],
    kind: [0, 1, 0],
    status: [0, 0, 1],
    time: [],
  },
} as unknown as TimelineData;
const places = (show: Parameters<typeof transcriptRows>[1]) =>
  transcriptRows(turns, show, timeline).map((row) => `${row.turn.turn_index}.${row.step}`);

test('everything, prompts alone, or the turns and steps with failures or edits', () => {
  expect(places('all')).toEqual(['0.-1', '0.0', '0.1', '1.-1', '1.0']);
  expect(places('prompts')).toEqual(['0.-1', '1.-1']);
  expect(places('edits')).toEqual(['0.-1', '0.1']);
  expect(places('failures')).toEqual(['1.-1', '1.0']);
});

test('the next failure follows an event, and the first one follows the last', () => {
  expect(nextFailure(timeline, 0)).toEqual({ turn: 1, step: 0, event: 9 });
  expect(nextFailure(timeline, 9)).toEqual({ turn: 1, step: 0, event: 9 });
});
