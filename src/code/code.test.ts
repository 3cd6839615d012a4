import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askPinhole, askRipgrep } from '../../test/fixtures/code/differential.ts';
import { madeFiles, writeFiles } from '../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../test/fixtures/code/open-code.ts';
import { questions } from '../../test/fixtures/code/patterns.ts';

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

  it('finds the same lines for every tenth of 500 patterns, in order, and counts them', async () => {
    const ways = new Map<string, number>();
    for (const question of questions(500).filter((_one, number) => number % 10 === 0)) {
      const expected = askRipgrep(root, question, new Set(['long-line.js']));
      const found = await askPinhole(opened.code, root, question);
      const name = JSON.stringify(question);
      if (expected === 'error' || found === 'error' || found === 'timeout') {
        expect({ name, found, expected }).toEqual({ name, found: 'error', expected: 'error' });
        continue;
      }
      const lines = found.lines.filter((line) => !line.startsWith('long-line.js:'));
      expect({ name, lines: new Set(lines) }).toEqual({ name, lines: expected });
      expect(lines.length).toBe(expected.size);
      const total = [...found.counts.values()].reduce((sum, count) => sum + count, 0);
      expect({ name, total }).toEqual({ name, total: found.lines.length });
      ways.set(found.via, (ways.get(found.via) ?? 0) + 1);
    }
    // Both ways were taken, and often.
    expect(Math.min(ways.get('index') ?? 0, ways.get('ripgrep') ?? 0)).toBeGreaterThan(10);
  });
});
