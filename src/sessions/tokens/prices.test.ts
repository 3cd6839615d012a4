import { expect, test } from 'vitest';
import { NO_USAGE, type Usage } from '../model/event.ts';
import { costOf, LONG_CONTEXTS, priceOf } from './prices.ts';

test('a model is known with its date, its revision or its context size, and by no similar name', () => {
  const opus = priceOf('claude-opus-4-5');
  expect(opus).toEqual({
    input: 5,
    cached: 0.5,
    cacheWrite: 6.25,
    cacheWriteHour: 10,
    output: 25,
    long: false,
  });
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

function dollars(model: string, usage: Partial<Usage>, promptOver = 0): number {
  const price = priceOf(model, promptOver);
  if (price === undefined) throw new Error(`no price for ${model}`);
  return costOf(price, { ...NO_USAGE, ...usage });
}

test('the cost that Claude Code recorded for a session comes out to the last digit', () => {
  const usage = { input: 117, output: 1185, cached: 108_000, cacheWrite: 7200 };
  expect(dollars('claude-opus-5-5', usage)).toBeCloseTo(0.081768, 9);
});

test('what is kept in the cache for an hour costs twice what input does', () => {
  const usage = { cacheWrite: 1_000_000, cacheWriteHour: 400_000 };
  expect(dollars('claude-haiku-4-5', usage)).toBeCloseTo(0.6 * 1.25 + 0.4 * 2, 9);
});

test('long prompts cost more where the model asks that, from the length on that it names', () => {
  const usage = { input: 1_000_000, cached: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };
  expect(dollars('claude-sonnet-4-5-20250929', usage, 200_000)).toBeCloseTo(6 + 0.6 + 7.5 + 22.5, 9);
  expect(dollars('claude-sonnet-4-5-20250929', usage)).toBeCloseTo(3 + 0.3 + 3.75 + 15, 9);
  expect(dollars('gpt-5.4', usage, 272_000)).toBeCloseTo(5 + 0.5 + 5 + 22.5, 9);
  expect(dollars('gpt-5.4', usage, 200_000)).toBeCloseTo(2.5 + 0.25 + 2.5 + 15, 9);
  expect(priceOf('claude-opus-4-6', 272_000)?.long).toBe(false);
  expect([...LONG_CONTEXTS].sort()).toEqual([200_000, 272_000]);
});
