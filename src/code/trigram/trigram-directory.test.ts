import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bitCount, Directory } from './trigram-directory.ts';
import { TRIGRAMS } from './trigram-keys.ts';

it('finds the group of every trigram, and none for the others', () => {
  const trigram = fc.oneof(fc.nat(TRIGRAMS - 1), fc.nat(200), fc.constantFrom(0, 31, 32, TRIGRAMS - 1));
  fc.assert(
    fc.property(
      fc.uniqueArray(trigram, { maxLength: 300 }),
      fc.array(trigram),
      fc.constantFrom(10, 70_000),
      (some, others, length) => {
        const trigrams = some.sort((a, b) => a - b);
        const offsets = Uint32Array.from({ length: trigrams.length + 1 }, (_none, at) => at * length + at);
        const directory = new Directory(Uint32Array.from(trigrams), offsets);
        for (const one of [...trigrams, ...others]) {
          const at = trigrams.indexOf(one);
          const group = at === -1 ? undefined : { start: offsets[at], end: offsets[at + 1] };
          expect(directory.find(one)).toEqual(group);
        }
      },
    ),
    { numRuns: 100 },
  );
});

it('counts bits', () => {
  expect([0, 1, 0x80000000, 0xffffffff, 0x10101].map(bitCount)).toEqual([0, 1, 1, 32, 3]);
});
