import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  askPinhole,
  askRipgrep,
  countDifferences,
  countPinhole,
  countRipgrep,
  differences,
  type Found,
} from '../fixtures/code/differential.ts';
import { openedCode } from '../fixtures/code/open-code.ts';
import { type Question, questions } from '../fixtures/code/patterns.ts';

/**
 * This checkout, its node_modules and, named by PINHOLE_KERNEL, a kernel tree (`npm run bench -- code-regex` brings
 * one into the temporary folder); or the trees that PINHOLE_TREES lists. PINHOLE_SLICE=2/10 takes the second of ten
 * parts of the patterns; PINHOLE_DIFFERENTIAL_HOME keeps the indexes between parts. Lines in files that Pinhole says
 * it skipped are left out of the comparison, and lines that match only through a secret. Up to twenty thousand lines
 * are compared one by one; where there are more, their number in each file.
 */
const kernel = process.env.PINHOLE_KERNEL;
const trees = process.env.PINHOLE_TREES?.split(':') ?? ['.', 'node_modules', ...(kernel ? [kernel] : [])];
const [part = 1, parts = 1] = (process.env.PINHOLE_SLICE ?? '1/1').split('/').map(Number);
const MOST_LINES = 20_000;

describe.each(trees)('beside ripgrep on %s', (given) => {
  it('finds the same lines', async () => {
    const root = realpathSync(resolve(given));
    const home = process.env.PINHOLE_DIFFERENTIAL_HOME;
    const opened = await openedCode(home === undefined ? {} : { home });
    const different: unknown[] = [];
    const sums = { patterns: 0, byLine: 0, lines: 0, refused: 0, unfinished: 0, secrets: 0 };
    try {
      await opened.index(root);
      const skipped = await opened.skipped(root);
      const compare = async (question: Question) => {
        const counted = await countRipgrep(root, question, skipped);
        sums.patterns++;
        const total = counted === 'error' ? 0 : [...counted.values()].reduce((sum, count) => sum + count, 0);
        sums.lines += total;
        if (total <= MOST_LINES) sums.byLine++;
        const found = total > MOST_LINES ? await countPinhole(opened.code, root, question) : undefined;
        const lines = found === undefined ? await askPinhole(opened.code, root, question) : undefined;
        const here = found ?? lines;
        if (here === 'timeout') {
          sums.unfinished++;
          different.push({ question, timeout: true });
        } else if (counted === 'error' || here === 'error' || here === undefined) {
          if (counted === here) sums.refused++;
          else different.push({ question, refused: counted === 'error' ? 'by ripgrep only' : 'here only' });
        } else {
          const { places, secrets } = await compareFound(question, counted, here);
          sums.secrets += secrets;
          if (places.length > 0) different.push({ question, places });
        }
      };
      const compareFound = async (
        question: Question,
        counted: ReadonlyMap<string, number>,
        here: Found | ReadonlyMap<string, number>,
      ) => {
        if (!('lines' in here)) return countDifferences(root, question, counted, here);
        const there = await askRipgrep(root, question, skipped);
        return differences(root, there === 'error' ? new Map() : there, here.lines);
      };
      for (const [number, question] of questions(500).entries())
        if (number % parts === part - 1) await compare(question);
      console.log(
        `${given}: ${JSON.stringify({ ...sums, skipped: skipped.size, differ: different.length })}`,
      );
      expect(different).toEqual([]);
    } finally {
      await opened.close(home === undefined);
    }
  });
});
