import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countLines } from './count-lines.ts';

it('counts line breaks between any two places of any buffer', () => {
  const byte = fc.constantFrom(10, 10, 0, 11, 138, 255, 9, 65);
  const bytes = fc.uint8Array({ maxLength: 600 }).chain((some) =>
    fc.record({
      content: fc
        .array(byte, { minLength: some.length, maxLength: some.length + 3000 })
        .map((more) => Uint8Array.from([...some, ...more])),
      cut: fc.nat(9),
    }),
  );
  fc.assert(
    fc.property(bytes, fc.nat(), fc.nat(), ({ content, cut }, one, other) => {
      const part = content.subarray(Math.min(cut, content.length));
      const [from = 0, to = 0] = [one % (part.length + 1), other % (part.length + 1)].sort((a, b) => a - b);
      expect(countLines(part, from, to)).toBe(part.subarray(from, to).filter((value) => value === 10).length);
    }),
    { numRuns: 300 },
  );
});

it('counts nothing but line breaks for longer than a byte can', () => {
  expect(countLines(new Uint8Array(10_001).fill(10), 1, 10_000)).toBe(9_999);
});
