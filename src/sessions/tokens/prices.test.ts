import { expect, test } from 'vitest';
import { NO_USAGE } from '../model/event.ts';
import { costOf, priceOf } from './prices.ts';

test('a model is known with its date, its revision or its context size, and by no similar name', () => {
  const opus = priceOf('claude-opus-4-5');
  expect(opus).toEqual({ input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 });
  for (const name of [
    'claude-opus-4-5-20251101',
    'anthropic/claude-opus-4-5',
    'claude-opus-4-5[1m]',
    'us.anthropic.claude-opus-4-5-20251101-v1:0',
  ]) {
    expect(priceOf(name), name).toEqual(opus);
  }
  expect(priceOf('gemini-3-flash-preview')).toEqual(priceOf('gemini-3-flash'));
  expect(priceOf('gpt-5.4-mini-2026-03-17')?.input).toBe(0.75);
  for (const name of ['claude-opus-4-9', 'gpt-5.9', 'gpt-5-ultra', 'o3x', 'unknown', '']) {
    expect(priceOf(name), name).toBeUndefined();
  }
});

test('the cost that Claude Code recorded for a session comes out to the last digit', () => {
  const usage = { ...NO_USAGE, input: 117, output: 1185, cached: 108_000, cacheWrite: 7200 };
  expect(costOf('claude-opus-5-5', usage)).toBeCloseTo(0.081768, 9);
});
