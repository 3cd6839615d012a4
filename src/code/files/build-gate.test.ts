import { expect, it } from 'vitest';
import { BuildGate, type BuildKind } from './build-gate.ts';

it('runs one builder at a time, the kind that is needed most first', async () => {
  const gate = new BuildGate();
  const order: string[] = [];
  let running = 0;
  const build = (kind: BuildKind, name: string) =>
    gate.run(kind, async () => {
      expect(++running).toBe(1);
      order.push(name);
      await Promise.resolve();
      running--;
      return name;
    });
  const all = [
    build('symbols', 'first'),
    build('symbols', 'symbols 1'),
    build('symbols', 'symbols 2'),
    build('meaning', 'meaning'),
    build('exact', 'exact'),
  ];
  expect(await Promise.all(all)).toEqual(['first', 'symbols 1', 'symbols 2', 'meaning', 'exact']);
  expect(order).toEqual(['first', 'exact', 'meaning', 'symbols 1', 'symbols 2']);
});

it('frees what nothing uses before each step', async () => {
  const gate = new BuildGate();
  const steps: string[] = [];
  const stop = gate.beforeSteps(() => steps.push('rest'));
  await gate.run('meaning', async (giveWay) => {
    steps.push('first');
    await giveWay();
    steps.push('second');
  });
  stop();
  await gate.run('exact', async () => steps.push('third'));
  expect(steps).toEqual(['rest', 'first', 'rest', 'second', 'third']);
});

it('opens again after a failure', async () => {
  const gate = new BuildGate();
  const failed = gate.run('exact', () => Promise.reject(new Error('no space')));
  const next = gate.run('meaning', async () => 'built');
  await expect(failed).rejects.toThrow('no space');
  expect(await next).toBe('built');
  expect(await gate.run('exact', async () => 'again')).toBe('again');
});

it('a long build gives way to what is needed more, and to nothing else', async () => {
  const gate = new BuildGate();
  const order: string[] = [];
  const long = gate.run('meaning', async (giveWay) => {
    order.push('meaning 1');
    // The others ask meanwhile.
    await Promise.resolve();
    await giveWay();
    order.push('meaning 2');
    await giveWay();
    order.push('meaning 3');
  });
  const symbols = gate.run('symbols', async () => order.push('symbols'));
  const exact = gate.run('exact', async () => order.push('exact'));
  await Promise.all([long, symbols, exact]);
  expect(order).toEqual(['meaning 1', 'exact', 'meaning 2', 'meaning 3', 'symbols']);
});
