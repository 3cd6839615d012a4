import { expect, test } from 'vitest';
import { Pace } from './update-pace.ts';

test('tells the time that is left once enough was read to know', () => {
  const pace = new Pace();
  expect(pace.secondsLeft).toBeUndefined();
  pace.begin(6000);
  pace.add(1);
  expect(pace.secondsLeft).toBeUndefined();
  pace.add(399);
  expect(pace.secondsLeft).toBeGreaterThanOrEqual(1);
  pace.add(5600);
  expect(pace.secondsLeft).toBe(0);
  pace.end();
  expect(pace.secondsLeft).toBeUndefined();
});

test('tells who listens of each step, and of the state at the beginning', async () => {
  const pace = new Pace();
  const told: number[] = [];
  pace.begin(10);
  pace.add(4);
  let end = (): void => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const during = pace.during(work, (done) => told.push(done));
  const step = pace.next;
  pace.add(6);
  await step;
  end();
  await during;
  pace.add(1);
  expect(told).toEqual([4, 10]);
});
