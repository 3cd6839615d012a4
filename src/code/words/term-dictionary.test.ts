import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTerm, packTerms, sortTerms } from './term-dictionary.ts';
import { mayHave, TermFilter } from './term-filter.ts';

const term = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  // Long runs of equal beginnings, as compound names have.
  fc.tuple(fc.constantFrom('', '/', '#', 'get', 'getUser'), fc.nat(400)).map(([from, at]) => `${from}${at}`),
);

it('finds every term with its own postings, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), fc.array(term), (terms, others) => {
      const sorted = sortTerms(terms);
      const packed = packTerms(
        sorted.map((one, at) => ({ term: one, frequency: at + 1, bytes: (at * 37) % 500 })),
      );
      let from = 0;
      for (const [id, one] of sorted.entries()) {
        const to = from + ((id * 37) % 500);
        expect(findTerm(packed, one)).toEqual({ id, frequency: id + 1, from, to });
        from = to;
      }
      for (const one of others) if (!terms.includes(one)) expect(findTerm(packed, one)).toBeUndefined();
    }),
  );
});

it('sorts by bytes, also where that is not the order of texts', () => {
  const terms = ['\uffee', '\u{1f600}', 'b', 'a', 'é'];
  expect(sortTerms(terms)).toEqual(['a', 'b', 'é', '\uffee', '\u{1f600}']);
});

it('a filter has every term that was added and few others', () => {
  const filter = new TermFilter(10_000);
  for (let at = 0; at < 10_000; at++) filter.add(`name${at}`);
  let wrong = 0;
  for (let at = 0; at < 10_000; at++) {
    expect(mayHave(filter.bits, `name${at}`)).toBe(true);
    if (mayHave(filter.bits, `other${at}`)) wrong++;
  }
  expect(wrong).toBeLessThan(500);
});
