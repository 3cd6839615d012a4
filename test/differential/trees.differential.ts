import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  askPinhole,
  countDifferences,
  countPinhole,
  countRipgrep,
  differences,
  type Found,
  type Lines,
  listRipgrep,
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
        const listed = await listRipgrep(root, question, skipped, MOST_LINES);
        const there = listed === 'many' ? await countRipgrep(root, question, skipped) : listed;
        const ask = listed === 'many' ? countPinhole : askPinhole;
        const found = await ask(opened.code, root, question);
        sums.patterns++;
        if (listed !== 'many') sums.byLine++;
        if (found === 'timeout') {
          sums.unfinished++;
          different.push({ question, timeout: true });
        } else if (there === 'error' || found === 'error') {
          if (there === found) sums.refused++;
          else different.push({ question, refused: there === 'error' ? 'by ripgrep only' : 'here only' });
        } else {
          const { places, secrets } = await compareFound(question, there, found);
          sums.secrets += secrets;
          if (places.length > 0) different.push({ question, places });
        }
      };
      const compareFound = async (
        question: Question,
        there: Lines | ReadonlyMap<string, number>,
        here: Found | ReadonlyMap<string, number>,
      ) => {
        const counts = new Map<string, number>();
        const lines: Lines = new Map();
        for (const [path, of] of there) {
          if (typeof of === 'number') counts.set(path, of);
          else lines.set(path, of);
          sums.lines += typeof of === 'number' ? of : of.length;
        }
        return 'lines' in here
          ? differences(root, lines, here.lines)
          : await countDifferences(root, question, counts, here);
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
