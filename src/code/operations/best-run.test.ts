import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from '../words/terms.ts';
import { bestRun, type SnippetSize } from './best-run.ts';

/** The same by trying every run. */
function tried(lines: readonly string[], size: SnippetSize, asked: ReadonlySet<string>) {
  const found = lines.map((line) => new Set(termsOf(line).filter((term) => asked.has(term))));
  const runs = lines.flatMap((line, first) => {
    if (line === '') return [];
    let end = first;
    let used = 0;
    while (end < lines.length && end - first < size.lines) {
      used += (lines[end] ?? '').length + 1;
      if (used > size.characters && end > first) break;
      end++;
    }
    const inRun = found.slice(first, end).flatMap((terms) => [...terms]);
    const lead = first === 0 || found[first]?.size === 0 ? 0.0001 : 0;
    return [{ first, end, score: new Set(inRun).size + inRun.length / 1000 + lead }];
  });
  // Later runs that reach the end are parts of the first that does.
  const reaches = runs.findIndex(({ end }) => end === lines.length);
  const candidates = reaches === -1 ? runs : runs.slice(0, reaches + 1);
  const most = Math.max(...candidates.map(({ score }) => score));
  const best = candidates.find(({ score }) => score === most) ?? { first: 0, end: 0 };
  let { end } = best;
  while (end - best.first > 1 && lines[end - 1] === '') end--;
  return { first: best.first, count: end - best.first };
}

test('the best run is the one that trying all of them finds', () => {
  const line = fc.constantFrom('', 'pool', 'open the pool', 'close', 'nothing here', 'pool of open sockets');
  const size = fc.record({
    lines: fc.integer({ min: 1, max: 12 }),
    characters: fc.constantFrom(5, 20, 60, Number.POSITIVE_INFINITY),
  });
  const asked = new Set(termsOf('open pool sockets'));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), size, (lines, most) => {
      expect(bestRun(lines, most, asked)).toMatchObject(tried(lines, most, asked));
    }),
  );
});
