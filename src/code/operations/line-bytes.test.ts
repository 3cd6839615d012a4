import { expect, test } from 'vitest';
import { lineBytes } from './line-bytes.ts';

test('the bytes of lines in a file', () => {
  const content = Buffer.from('ä\nsecond\n\nlast');
  const bytes = lineBytes(content);
  const text = (from: number, to: number) => {
    const [start, end] = bytes?.(from, to) ?? [0, 0];
    return content.toString('utf8', start, end);
  };
  expect(bytes?.(1, 1)).toEqual([0, 2]);
  expect(text(2, 2)).toBe('second');
  expect(text(1, 3)).toBe('ä\nsecond\n');
  expect(text(4, 4)).toBe('last');
  expect(bytes?.(5, 5)).toBeUndefined();
});

test('nothing is said about UTF-16', () => {
  expect(lineBytes(Buffer.from('\uFEFFa\n', 'utf16le'))).toBeUndefined();
});
