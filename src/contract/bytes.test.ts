import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteLength, cutText, headBytes, oneLine, printable, toJson } from './bytes.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

describe('headBytes', () => {
  test('is the longest beginning of whole characters that fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(300), (text, max) => {
        const head = headBytes(text, max);
        expect(text.startsWith(head)).toBe(true);
        expect(byteLength(head)).toBeLessThanOrEqual(max);
        const next = [...text.slice(head.length)][0];
        if (next !== undefined) expect(byteLength(head + next)).toBeGreaterThan(max);
      }),
    );
  });
});

describe('cutText', () => {
  test('says exactly how many bytes are missing', () => {
    expect(cutText('a'.repeat(100), 40)).toBe(`${'a'.repeat(25)}…[+75 bytes]`);
    expect(cutText('äöü'.repeat(20), 40)).toMatch(/^(äöü)+(ä|äö)?…\[\+\d+ bytes\]$/);
    expect(cutText('short', 40)).toBe('short');
  });

  test('what is shown and what is missing add up', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 30, maxLength: 300 }),
        fc.integer({ min: 30, max: 200 }),
        (text, max) => {
          const cut = cutText(text, max);
          expect(byteLength(cut)).toBeLessThanOrEqual(max);
          const mark = /…\[\+(\d+) bytes\]$/.exec(cut);
          if (cut !== text)
            expect(byteLength(cut.slice(0, mark?.index)) + Number(mark?.[1])).toBe(byteLength(text));
        },
      ),
    );
  });
});

describe('unprintable characters', () => {
  const nasty = 'a\u001b[31mred\u202egnp.exe\u0085\nb\tc';

  test('never reach a terminal', () => {
    expect(printable(nasty)).toBe('a\\u001b[31mred\\u202egnp.exe\\u0085\nb\tc');
    expect(oneLine(nasty)).toBe('a\\u001b[31mred\\u202egnp.exe\\u0085\\nb\\tc');
  });

  test('survive JSON without loss', () => {
    expect(toJson({ nasty })).not.toMatch(/[\u0080-\u009f\u202e]/);
    fc.assert(
      fc.property(anyText, (text) => {
        expect(JSON.parse(toJson([text]))).toEqual([text]);
      }),
    );
  });
});
