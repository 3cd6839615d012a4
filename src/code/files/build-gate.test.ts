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

it('opens again after a failure', async () => {
  const gate = new BuildGate();
  const failed = gate.run('exact', () => Promise.reject(new Error('no space')));
  const next = gate.run('meaning', async () => 'built');
  await expect(failed).rejects.toThrow('no space');
  expect(await next).toBe('built');
  expect(await gate.run('exact', async () => 'again')).toBe('again');
});
