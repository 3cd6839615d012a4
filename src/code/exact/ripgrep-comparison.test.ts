import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askPinhole,
  askRipgrep,
  countPinhole,
  differences,
} from '../../../test/fixtures/code/differential.ts';
import { madeFiles, writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';
import { questions } from '../../../test/fixtures/code/patterns.ts';

/** Two of five questions; `PINHOLE_PATTERNS=all npx vitest run src/code/exact/ripgrep-comparison.test.ts` asks all. */
const ASKED = questions(500).filter((_question, at) => process.env.PINHOLE_PATTERNS === 'all' || at % 5 < 2);

describe('exact search beside ripgrep', () => {
  let root = '';
  let opened: OpenedCode;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-exact-')));
    writeFiles(root, madeFiles());
    opened = await openedCode();
    await opened.index(root);
  });
  afterAll(async () => {
    await opened.close();
    rmSync(root, { recursive: true, force: true });
  });

  it(`finds the same lines for ${ASKED.length} patterns, in order, and counts them`, async () => {
    const ways = new Map<string, number>();
    const different: unknown[] = [];
    const queue = [...ASKED];
    const compare = async () => {
      for (let question = queue.pop(); question !== undefined; question = queue.pop()) {
        const [expected, found, counted] = await Promise.all([
          askRipgrep(root, question, new Set(['long-line.js'])),
          askPinhole(opened.code, root, question),
          countPinhole(opened.code, root, question),
        ]);
        if (expected === 'error' || typeof found === 'string' || typeof counted === 'string') {
          if (expected !== 'error' || found !== 'error') different.push({ question, expected, found });
          continue;
        }
        for (const [path, lines] of found.lines)
          if (counted.get(path) !== lines.length || lines.some((line, at) => line <= (lines[at - 1] ?? 0)))
            different.push({ question, path, lines, counted: counted.get(path) });
        const { places } = differences(root, expected, found.lines);
        if (places.length > 0 || counted.size !== found.lines.size) different.push({ question, places });
        ways.set(found.via, (ways.get(found.via) ?? 0) + 1);
      }
    };
    await Promise.all([compare(), compare(), compare()]);
    expect(different).toEqual([]);
    // Both ways were taken, and often.
    expect(Math.min(ways.get('index') ?? 0, ways.get('ripgrep') ?? 0)).toBeGreaterThan(ASKED.length / 5);
  });
});
