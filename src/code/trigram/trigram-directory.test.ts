import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bitCount, Directory } from './trigram-directory.ts';
import { TRIGRAMS } from './trigram-keys.ts';

it('finds the group of every trigram, and none for the others', () => {
  const trigram = fc.oneof(fc.nat(TRIGRAMS - 1), fc.nat(200), fc.constantFrom(0, 31, 32, TRIGRAMS - 1));
  fc.assert(
    fc.property(fc.uniqueArray(trigram, { maxLength: 300 }), fc.array(trigram), (some, others) => {
      const trigrams = some.sort((a, b) => a - b);
      const offsets = Uint32Array.from({ length: trigrams.length + 1 }, (_none, at) => at * 10);
      const directory = new Directory(Uint32Array.from(trigrams), offsets);
      for (const one of [...trigrams, ...others]) expect(directory.find(one)).toBe(trigrams.indexOf(one));
      for (const [at] of trigrams.entries())
        expect([directory.start(at), directory.end(at)]).toEqual([at * 10, at * 10 + 10]);
    }),
    { numRuns: 100 },
  );
});

it('counts bits', () => {
  expect([0, 1, 0x80000000, 0xffffffff, 0x10101].map(bitCount)).toEqual([0, 1, 1, 32, 3]);
});
