import { expect, test } from 'vitest';
import { LineRarity, RARITY_MS } from './line-rarity.ts';

const commit = (authoredMs: number, ...lines: number[]) => ({
  authoredMs,
  files: [
    {
      ...{ path: 'a.ts', added: lines.length, removed: 0 },
      addedLines: Uint32Array.from(lines),
      removedLines: new Uint32Array(0),
    },
  ],
});

test('a line counts less the more commits of the year before have it; copies of a commit count once', () => {
  const rarity = new LineRarity();
  for (const [ms, ...lines] of [
    [1, 7],
    [RARITY_MS, 7, 8],
    [RARITY_MS, 7, 8],
    [RARITY_MS + 1, 7, 9],
  ])
    rarity.add(commit(ms ?? 0, ...lines), (hash) => hash !== 9);
  expect(rarity.share(7, RARITY_MS)).toBe(1 / 2);
  expect(rarity.share(7, RARITY_MS + 1)).toBe(1 / 2);
  expect(rarity.share(8, RARITY_MS + 1)).toBe(1);
  // Not later ones, not lines that no edit has.
  expect(rarity.share(7, 1)).toBe(1);
  expect(rarity.share(9, RARITY_MS + 1)).toBe(1);
});
