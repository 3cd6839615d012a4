import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../src/disk/filter/compile.ts';
import { parseFilter } from '../src/disk/filter/schema.ts';
import { regexLiteral } from '../src/disk/filter/text-test.ts';
import { matchingRows, scopeBelow } from '../src/disk/reports/scope.ts';
import { nameOf, pathOf } from '../src/disk/tree/nodes.ts';
import { emptyFolder, madeTree, scan } from './disk/made-tree.ts';

const root = madeTree();
utimesSync(join(root, 'a.txt'), 1_500_000_000, 1_500_000_000);
const tree = await scan(root);
const now = Date.now();
const { signal } = new AbortController();
const sources = { duplicates: async () => new Uint8Array(tree.meta.nodes), touchedByAgent: undefined };

async function found(filter: unknown): Promise<string[]> {
  const { test: fits } = await compileFilter(parseFilter(filter, now), tree, sources);
  const rows = await matchingRows(scopeBelow(tree, 0, fits, signal));
  return Array.from(rows, (row) => pathOf(tree, row).slice(root.length + 1)).sort();
}

test.each([
  [{ name: '*.md' }, ['docs/one.md', 'docs/two.md']],
  [{ name: { glob: 'INDEX.*', ignore_case: true } }, ['src/Index.TS', 'src/index.ts']],
  [{ name: { regex: '^same\\d$' } }, ['links/same0', 'links/same1', 'links/same2']],
  [{ name: { regex: 'DEEPER', ignore_case: true } }, ['docs/deep/er/and/deeper']],
  [{ path: 'docs/**/*.log' }, ['docs/deep/er/and/deeper/leaf.log']],
  [{ ext: ['ts', '.MD'] }, ['docs/one.md', 'docs/two.md', 'src/Index.TS', 'src/index.ts']],
  [{ kind: 'symlink' }, ['links/dangling', 'links/loop']],
  [{ kind: ['symlink'], not: { name: 'loop' } }, ['links/dangling']],
  [{ all: [{ kind: 'file' }, { size: '>200k' }] }, ['big.bin', 'sparse']],
  [{ all: [{ kind: 'file' }, { disk_size: '>200k' }] }, ['big.bin']],
  [{ kind: 'dir', size: '>60k' }, ['']],
  [{ modified: '>1y' }, ['a.txt']],
  [{ any: [{ name: 'a.txt' }, { name: 'big*' }] }, ['a.txt', 'big.bin']],
  [{ depth: 1, kind: 'file' }, ['a.txt', 'big.bin', 'sparse']],
  [{ sparse: true }, ['sparse']],
  [{ linked: true, name: 'else*' }, ['more/links/elsewhere']],
  [{ owner: String(process.getuid?.()), name: 'a.txt' }, ['a.txt']],
  [{ owner: 'nobody-of-that-name' }, []],
  [{ error: true }, []],
])('%j', async (filter, expected) => {
  expect(await found(filter)).toEqual(expected);
});

describe('ways to the same answer', () => {
  test('any glob of names: bytes, literal and text agree', async () => {
    const place = emptyFolder();
    const names = ['a', 'ab', 'abc', 'b.ts', 'ab.ts', 'a.b.ts', 'xaby', 'ünï.ts', '-', 'aab'];
    for (const name of names) writeFileSync(join(place, name), '');
    const small = await scan(place);
    const piece = fc.constantFrom('a', 'b', '.ts', '*', '?', 'ab', 'ï', '[ab]');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
        const pattern = pieces.join('');
        const naive = new RegExp(
          `^${pieces.map((p) => (p === '*' ? '[^/]*' : p === '?' ? '[^/]' : p === '.ts' ? '\\.ts' : p)).join('')}$`,
        );
        const { test: fits } = await compileFilter(parseFilter({ name: pattern }, now), small, sources);
        const rows = await matchingRows(scopeBelow(small, 0, fits, signal));
        const found = Array.from(rows).filter((row) => row > 0);
        expect(found.map((row) => nameOf(small, row)).sort()).toEqual(
          names.filter((name) => naive.test(name)).sort(),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('the literal of a regular expression is in everything that matches', () => {
    const atom = fc.constantFrom(
      'ab',
      'c',
      '\\.',
      'd+',
      'e*',
      'f?',
      '[gh]',
      '(ij)',
      '(k|l)',
      '.',
      '\\d',
      'm{2}',
      '(?:no)?',
      '^',
      '$',
      'p|q',
    );
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 6 }), fc.stringMatching(/^[a-q.0-9]{0,12}$/), (atoms, text) => {
        const pattern = atoms.join('');
        const literal = regexLiteral(pattern);
        if (new RegExp(pattern).test(text)) expect(text).toContain(literal);
      }),
      { numRuns: 3_000 },
    );
    expect(regexLiteral('report_1z.*\\.ts$')).toBe('report_1z');
    expect(regexLiteral('(?i)abc')).toBe('');
    expect(regexLiteral('abc|def')).toBe('');
  });

  test('no regular expression can hang', async () => {
    const place = emptyFolder();
    writeFileSync(join(place, 'a'.repeat(250)), '');
    const small = await scan(place);
    const started = performance.now();
    const { test: fits } = await compileFilter(
      parseFilter({ name: { regex: '^(a+)+$b' } }, now),
      small,
      sources,
    );
    expect(await matchingRows(scopeBelow(small, 0, fits, signal))).toHaveLength(0);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
