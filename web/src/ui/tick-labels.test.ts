import { afterEach, expect, test } from 'vitest';
import { DAY, tickLabels } from './tick-labels.ts';
import { chooseZone } from './zone.ts';

afterEach(() => chooseZone(undefined));

const start = Date.parse('2026-11-14T00:00:00Z') / 1000;
const every = (step: number, count: number) => Array.from({ length: count }, (_, at) => start + at * step);

test('days are named once, however many ticks they have', () => {
  chooseZone('UTC');
  const ticks = every(DAY / 4, 10);
  expect(tickLabels(ticks, [start, start + 3 * DAY])).toEqual([
    ...['11-14', '', '', ''],
    ...['11-15', '', '', ''],
    ...['11-16', ''],
  ]);
});

test('minutes and seconds as well', () => {
  chooseZone('UTC');
  expect(tickLabels(every(30, 4), [start, start + 700])).toEqual(['00:00', '', '00:01', '']);
  expect(tickLabels(every(0.5, 3), [start, start + 2])).toEqual(['00:00:00', '', '00:00:01']);
});
