import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askPinhole, askRipgrep, countRipgrep } from '../fixtures/code/differential.ts';
import { openedCode } from '../fixtures/code/open-code.ts';
import { questions } from '../fixtures/code/patterns.ts';

/**
 * This checkout, its node_modules and, named by PINHOLE_KERNEL, a kernel tree (`npm run bench -- code-regex` brings
 * one into the temporary folder); or the trees that PINHOLE_TREES lists. PINHOLE_PATTERNS makes it shorter. Lines in files
 * that Pinhole says it skipped are left out of the comparison.
 */
const kernel = process.env.PINHOLE_KERNEL;
const named = process.env.PINHOLE_TREES?.split(':');
const trees = (
  named ?? [resolve('.'), resolve('node_modules'), ...(kernel === undefined ? [] : [kernel])]
).map((root) => ({
  root,
}));
const PATTERNS = Number(process.env.PINHOLE_PATTERNS ?? 500);

/** Patterns that match most lines of a large tree only measure the pipe. */
const MOST_LINES = 50_000;

describe.each(trees)('beside ripgrep on $root', ({ root: given }) => {
  it('finds the same lines', async () => {
    expect(existsSync(given)).toBe(true);
    const root = realpathSync(given);
    const opened = await openedCode();
    try {
      await opened.index(root);
      const skipped = await opened.skipped(root);
      const different: unknown[] = [];
      let compared = 0;
      let unfinished = 0;
      let lines = 0;
      for (const question of sample(questions(500), PATTERNS)) {
        if (countRipgrep(root, question) > MOST_LINES) continue;
        const expected = askRipgrep(root, question, skipped);
        const found = await askPinhole(opened.code, root, question);
        if (found === 'timeout') {
          unfinished++;
          continue;
        }
        compared++;
        if (expected === 'error' || found === 'error') {
          if (expected !== found)
            different.push({ question, expected: typeof expected, found: typeof found });
          continue;
        }
        lines += expected.size;
        const ours = new Set(found.lines);
        const missing = [...expected].filter((line) => !ours.has(line));
        const extra = found.lines.filter((line) => !expected.has(line));
        if (missing.length + extra.length > 0) {
          different.push({
            question,
            via: found.via,
            missing: missing.slice(0, 5),
            extra: extra.slice(0, 5),
          });
        }
      }
      console.log(
        `${root}: ${compared} patterns, ${lines} lines, ${skipped.size} files skipped, ${unfinished} ran into the time limit, ${different.length} differ`,
      );
      expect(different).toEqual([]);
      expect(unfinished).toBeLessThan(compared / 10);
    } finally {
      await opened.close();
    }
  });
});

/** So many of the list, spread over it. */
function sample<T>(list: readonly T[], count: number): T[] {
  return list.filter(
    (_one, index) =>
      Math.floor((index * count) / list.length) !== Math.floor(((index - 1) * count) / list.length),
  );
}
