import { expect, test } from 'vitest';
import { at, float64At, int32At, uint8At, uint16At, uint32At } from './at.ts';

test.each([
  ['at', (index: number) => at([7, 8], index)],
  ['uint8At', (index: number) => uint8At(Uint8Array.of(7, 8), index)],
  ['uint16At', (index: number) => uint16At(Uint16Array.of(7, 8), index)],
  ['int32At', (index: number) => int32At(Int32Array.of(7, 8), index)],
  ['uint32At', (index: number) => uint32At(Uint32Array.of(7, 8), index)],
  ['float64At', (index: number) => float64At(Float64Array.of(7, 8), index)],
])('%s reads what is there and throws for any other index', (_, read) => {
  expect([read(0), read(1)]).toEqual([7, 8]);
  for (const index of [-1, 2, 0.5, Number.NaN])
    expect(() => read(index)).toThrow(new RangeError(`Index ${index} is out of range: there are 2 entries.`));
});

test('zero and the empty text are values', () => {
  expect([at([0], 0), at([''], 0), uint8At(Uint8Array.of(0), 0)]).toEqual([0, '', 0]);
});
