import { expect, test } from 'vitest';
import { previewAround } from './preview.ts';

const filler = 'lorem ipsum dolor sit amet '.repeat(40);

test('the match is in the middle', () => {
  const text = `${filler}HIT ${filler}`;
  const preview = previewAround(text, text.indexOf('HIT'), 3);
  expect(preview.length).toBeLessThanOrEqual(202);
  expect(Math.abs(preview.indexOf('HIT') - 100)).toBeLessThan(10);
});

test('at the ends of a text the room goes to the other side', () => {
  expect(previewAround(`HIT ${filler}`, 0, 3)).toMatch(/^HIT .{180,200}…$/);
  const last = `${filler}HIT`;
  expect(previewAround(last, last.length - 3, 3)).toMatch(/^….{180,200} HIT$/);
  expect(previewAround('a HIT', 2, 3)).toBe('a HIT');
});
