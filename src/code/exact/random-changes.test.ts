import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askPinhole, askRipgrep, printAll } from '../../../test/fixtures/code/differential.ts';
import { openedCode } from '../../../test/fixtures/code/open-code.ts';
import { startRounds } from '../../../test/fixtures/code/rounds.ts';
import { temporaryFolder } from '../../../test/support.ts';

/* After any change the very next search is right: beside ripgrep, which reads the tree from the start each time. */

const ROUNDS = Number(process.env.PINHOLE_ROUNDS ?? 30);
const SEED = Number(process.env.PINHOLE_SEED ?? 12);
const TOKENS = { pattern: 'tok[0-9]+', insensitive: false, word: false, fixed: false };

const asObject = (lines: ReadonlyMap<string, readonly number[]>) =>
  Object.fromEntries([...lines].sort(([a], [b]) => (a < b ? -1 : 1)));

test(
  `${ROUNDS} rounds of random changes`,
  async () => {
    const root = realpathSync(temporaryFolder());
    const rounds = startRounds(root, SEED);
    const opened = await openedCode({ watch: true });
    const wrong: unknown[] = [];
    try {
      await opened.index(root);
      for (let turn = 0; turn < 4; turn++) await askPinhole(opened.code, root, TOKENS);
      for (let round = 0; round < ROUNDS; round++) {
        const acts = rounds.next();
        const found = await askPinhole(opened.code, root, TOKENS);
        let printed = 0;
        for await (const bytes of printAll(opened.code, root, TOKENS.pattern))
          printed += Buffer.from(bytes).toString().split('\n').length - 1;
        const expected = await askRipgrep(root, TOKENS, new Set());
        if (typeof found === 'string' || expected === 'error') throw new Error(`round ${round}: no answer`);
        const [here, there] = [asObject(found.lines), asObject(expected)];
        const lines = [...expected.values()].reduce((sum, { length }) => sum + length, 0);
        if (JSON.stringify(here) !== JSON.stringify(there) || printed !== lines)
          wrong.push({
            round,
            acts,
            missing: Object.keys(there).filter((path) => String(there[path]) !== String(here[path])),
            extra: Object.keys(here).filter((path) => there[path] === undefined),
            printed,
            lines,
          });
      }
    } finally {
      await opened.close();
    }
    expect(wrong).toEqual([]);
  },
  60_000 + ROUNDS * 8_000,
);
