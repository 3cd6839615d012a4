import { expect, test } from 'vitest';
import { BuildTurns } from './build-turns.ts';

test('a build that somebody waits for goes before one that runs already', async () => {
  const turns = new BuildTurns();
  const order: string[] = [];
  const busy = () => {
    for (const end = performance.now() + 12; performance.now() < end; );
  };
  const steps = (name: string, urgent: boolean, onStep?: (step: number) => void) =>
    turns.run(urgent, async (pause) => {
      for (let step = 0; step < 3; step++) {
        await pause();
        busy();
        order.push(name);
        onStep?.(step);
      }
    });
  let waited: Promise<void> | undefined;
  const background = steps('background', false, (step) => {
    if (step === 0) waited = steps('waited for', true);
  });
  await background;
  await waited;
  expect(order).toEqual(['background', 'waited for', 'waited for', 'waited for', 'background', 'background']);
});
