import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { startRounds } from '../../../test/fixtures/code/rounds.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

/* After any change the very next answer shows the text that is there: `PINHOLE_ROUNDS=1000` tries longer. */

const ROUNDS = Number(process.env.PINHOLE_ROUNDS ?? 15);
const SEED = Number(process.env.PINHOLE_SEED ?? 12);

const app = await temporaryApp();
const symbol = async (root: string, name: string, show?: string) => {
  const { body } = await ask(
    app,
    'symbol',
    { name, ...(show === undefined ? {} : { show }) },
    { roots: [root], cwd: root, budget: 100_000, id: `${Math.random()}` },
  );
  return body.data;
};

/** Functions by their names, read from the files with nothing but a regular expression. */
function functionsNow(root: string): Map<string, { path: string; line: number; body: string }[]> {
  const found = new Map<string, { path: string; line: number; body: string }[]>();
  const listed = execFileSync(rgPath, ['--files', '--no-config'], { cwd: root });
  for (const path of listed.toString().split('\n')) {
    if (!path.endsWith('.ts')) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const match of text.matchAll(/^function (\w+)\(\) \{\n(?: .*\n)*\}/gm)) {
      const [body, name = ''] = match;
      const line = text.slice(0, match.index).split('\n').length;
      found.set(name, [...(found.get(name) ?? []), { path, line, body }]);
    }
  }
  return found;
}

test(`${ROUNDS} rounds of edits, renames, deletions and checkouts without a wrong body`, async () => {
  const root = realpathSync(temporaryFolder());
  const rounds = startRounds(root, SEED, {
    ending: 'ts',
    line: (token, pick) => `function tok${token % 40}() {\n${`  call${token}();\n`.repeat(1 + pick(4))}}\n`,
  });
  const wrong: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const acts = rounds.next();
    const now = functionsNow(root);
    const names = [...now.keys()];
    for (const name of [names[round % names.length] ?? 'tok1', `tok${round % 40}`]) {
      const { symbol: shown, body = [], others = [], unknown } = await symbol(root, name);
      const expected = now.get(name) ?? [];
      if (shown === undefined) {
        if (unknown !== name || expected.length > 0) wrong.push({ round, acts, name, expected });
        continue;
      }
      const places = [shown, ...others].map(({ path, line_start }) => `${path}:${line_start}`).sort();
      const text = body.map((line: { text: string }) => line.text).join('\n');
      const here = expected.find(({ path, line }) => path === shown.path && line === shown.line_start);
      if (
        here?.body !== text ||
        String(places) !== String(expected.map(({ path, line }) => `${path}:${line}`).sort())
      )
        wrong.push({
          round,
          acts,
          name,
          text,
          places: String(places),
          expected: String(expected.map(({ path, line }) => `${path}:${line}`).sort()),
        });
    }
  }
  expect(wrong).toEqual([]);
}, 3_600_000);

test('a checkout of another revision between two calls', async () => {
  const root = realpathSync(temporaryFolder());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root });
  git('init', '-q', '-b', 'main');
  writeFiles(root, {
    'src/pool.ts': 'export function acquire() {\n  return 1;\n}\n',
    'src/use.ts':
      "import { acquire } from './pool.ts';\n\nexport function work() {\n  return acquire();\n}\n",
  });
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFiles(root, {
    'src/pool.ts': '// Moved down.\n\nexport function acquire() {\n  return 2;\n}\n',
    'src/use.ts': "import { acquire } from './pool.ts';\n\nexport const eager = acquire();\n",
  });
  git('commit', '-qam', 'two');
  const seen = async () => {
    const { symbol: shown, body, callers } = await symbol(root, 'acquire');
    return { lines: `${shown.line_start}-${shown.line_end}`, second: body[1].text, callers };
  };
  const two = {
    lines: '3-5',
    second: '  return 2;',
    callers: [{ path: 'src/use.ts', line: 3, in: 'eager' }],
  };
  const one = { lines: '1-3', second: '  return 1;', callers: [{ path: 'src/use.ts', line: 4, in: 'work' }] };
  expect(await seen()).toEqual(two);
  git('checkout', '-q', 'HEAD~1');
  expect(await seen()).toEqual(one);
  git('checkout', '-q', 'main');
  expect(await seen()).toEqual(two);
});
