import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const root = temporaryFolder();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** A function that has nothing to do with any question below. */
const filler = (name: string): string =>
  `function ${name}(rows) {\n  let total = 0;\n  for (const row of rows) {\n    total += row.width;\n  }\n  return total;\n}\n`;

write(
  'src/logs.js',
  [
    'export function openLog(name) {\n  const log = createLog(name);\n  log.files = [];\n  log.disk = name;\n  log.rotated = false;\n  return log;\n}\n',
    filler('measure'),
    'export function rotateLog(log) {\n  const now = clock();\n  log.rotated = now;\n  log.files.push(now);\n  return log;\n}\n',
    filler('align'),
    'export function prune(log, keep) {\n  const old = log.files.sort();\n  while (old.length > keep) {\n    unlink(old.shift());\n  }\n  return old;\n}\n',
  ].join('\n'),
);
write('src/table.js', ['one', 'two', 'three'].map(filler).join('\n'));

const house = await temporaryApp();
const who = { roots: [root], cwd: root };

type Row = { path: string; symbol?: string; line_start: number; line_end: number; score: number };
const rows = async (query: string): Promise<Row[]> =>
  (await ask(house, 'hybrid_search', { query }, who)).body.data.matches;

const QUESTION = 'where are old files unlinked when there are more of them than the number to keep';

test('the function is shown that does it, not the lines that have most of the words', async () => {
  await expect
    .poll(async () => (await rows(QUESTION))[0])
    .toMatchObject({ path: 'src/logs.js', symbol: 'prune', line_start: 32, line_end: 38 });
});

test('a file has up to three places before its other lines, best first', async () => {
  await expect
    .poll(async () => (await rows(QUESTION)).slice(0, 3).map(({ symbol }) => symbol))
    .toContain('rotateLog');
  const found = await rows(QUESTION);
  const scores = found.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const places = found.map(({ path, line_start, line_end }) => `${path}:${line_start}-${line_end}`);
  expect(new Set(places).size).toBe(places.length);
});

test('a short question keeps the order of files', async () => {
  const found = await rows('rotated log files');
  expect(found[0]?.path).toBe('src/logs.js');
});
