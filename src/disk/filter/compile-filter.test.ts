import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { matchingRows, type Scope } from '../reports/row-scope.ts';
import { isDir, kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderAt, lastRow, nameOf, pathOf } from '../tree/tree-nodes.ts';
import { compileFilter } from './compile-filter.ts';
import { parseFilter } from './filter-schema.ts';

const root = madeTree();
utimesSync(join(root, 'a.txt'), 1_500_000_000, 1_500_000_000);
const tree = await scan(root);
const now = Date.now();
const { signal } = new AbortController();

/** A row and everything below it. */
function scopeBelow(of: Tree, row: number): Scope {
  return { tree: of, from: row, to: lastRow(of, row), test: undefined, signal };
}

async function rowsOf(filter: unknown, of: Tree, top = 0): Promise<number[]> {
  const scope = scopeBelow(of, top);
  const nothing = async () => new Uint8Array(of.meta.nodes);
  const sources = { duplicates: nothing, unique: nothing, links: nothing, touchedByAgent: undefined };
  const { test: fits } = await compileFilter(parseFilter(filter, now), scope, sources);
  return [...(await matchingRows({ ...scope, test: fits }))];
}

const below = (of: Tree, row: number) => pathOf(of, row).slice(of.meta.root.length + 1);

async function found(filter: unknown): Promise<string[]> {
  return (await rowsOf(filter, tree)).map((row) => below(tree, row)).sort();
}

test.each([
  [{ name: '*.md' }, ['docs/one.md', 'docs/two.md']],
  [{ name: { glob: 'INDEX.*', ignore_case: true } }, ['src/Index.TS', 'src/index.ts']],
  [{ name: { regex: '^same\\d$' } }, ['links/same0', 'links/same1', 'links/same2']],
  [{ name: { regex: 'DEEPER', ignore_case: true } }, ['docs/deep/er/and/deeper']],
  [{ path: 'docs/**/*.log' }, ['docs/deep/er/and/deeper/leaf.log']],
  [{ path: `${root}/docs/*.md` }, ['docs/one.md', 'docs/two.md']],
  [{ path: '/docs/*.md' }, ['docs/one.md', 'docs/two.md']],
  [{ path: root }, ['']],
  [{ path: '**/*.log' }, ['docs/deep/er/and/deeper/leaf.log']],
  [{ path: 'docs/**/*r/leaf{.log,.txt}' }, ['docs/deep/er/and/deeper/leaf.log']],
  [{ path: '*.md' }, []],
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
        const found = (await rowsOf({ name: pattern }, small)).filter((row) => row > 0);
        expect(found.map((row) => nameOf(small, row)).sort()).toEqual(
          names.filter((name) => naive.test(name)).sort(),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('names in other scripts, and names that are no text at all', async () => {
    const place = emptyFolder();
    const broken = Buffer.concat([
      Buffer.from(`${place}/`),
      Buffer.from([0xe9, 0x74, 0xe9]),
      Buffer.from('.log'),
    ]);
    for (const name of ['été.log', '日本語.txt', 'ÉTÉ.LOG', 'x😀y', 'plain.log'])
      writeFileSync(join(place, name), '');
    writeFileSync(broken, '');
    const small = await scan(place);
    const names = async (name: unknown) =>
      (await rowsOf({ name }, small))
        .filter((row) => row > 0)
        .map((row) => nameOf(small, row))
        .sort();
    expect(await names('*.log')).toEqual(['plain.log', 'été.log', '�t�.log'].sort());
    expect(await names({ regex: '^ét', ignore_case: true })).toEqual(['ÉTÉ.LOG', 'été.log'].sort());
    expect(await names({ regex: '^\\p{Han}+\\.' })).toEqual(['日本語.txt']);
    expect(await names({ regex: '^x.y$' })).toEqual(['x😀y']);
    expect(await names('x?y')).toEqual(['x😀y']);
    expect(await names({ regex: '^\\w+\\.log$' })).toEqual(['plain.log', 'été.log'].sort());
  });

  test('no regular expression can hang', async () => {
    const place = emptyFolder();
    writeFileSync(join(place, 'a'.repeat(250)), '');
    const small = await scan(place);
    const start = process.cpuUsage();
    expect(await rowsOf({ name: { regex: '^(a+)+$b' } }, small)).toHaveLength(0);
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  });
});

describe('a filter and the same question asked of every row', () => {
  const names = ['a', 'ab', 'b.ts', 'Ab.TS', 'x1', 'xx22', 'é.ts', 'a b'];
  const place = emptyFolder();
  for (const [i, one] of names.entries()) {
    mkdirSync(join(place, `d${one}`));
    for (const [k, two] of names.entries()) {
      const file = join(place, `d${one}`, two);
      writeFileSync(file, 'x'.repeat((i * 7 + k * 131) % 500));
      utimesSync(file, 1_600_000_000 + i * 1e6, 1_600_000_000 + k * 1e7);
    }
    symlinkSync('nowhere', join(place, `d${one}`, 'link'));
  }

  type Naive = (row: number, of: Tree) => boolean;
  interface Question {
    readonly filter: object;
    readonly naive: Naive;
  }
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const globs = fc
    .constantFrom('*', '?', 'a', 'b', '.ts', '[ab]', '[!x]', 'é', 'x', '2')
    .chain((first) =>
      fc
        .array(fc.constantFrom('*', '?', 'a', 'b', '.ts', '[ab]', '[!x]', 'é', 'x', '2'), { maxLength: 3 })
        .map((rest) => [first, ...rest]),
    );
  const globRegex = (parts: readonly string[], flags: string) =>
    new RegExp(
      `^${parts.map((part) => (part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part === '[!x]' ? '[^x/]' : part === '[ab]' ? part : escaped(part))).join('')}$`,
      `u${flags}`,
    );
  const regexes = fc
    .array(fc.constantFrom('a', 'b', '\\.', '^', '$', '[ax]', '\\d', '.', 'x+', '(a|b)?', 'ts', '/', 'é'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(''));
  const sizeOf = (of: Tree, row: number) =>
    isDir(of.kind[row] ?? 0) ? (of.dirSize[folderAt(of, row)] ?? 0) : (of.size[row] ?? 0);
  const depthOf = (of: Tree, row: number) => (row === 0 ? 0 : below(of, row).split('/').length);
  const leaf: fc.Arbitrary<Question> = fc.oneof(
    fc.tuple(globs, fc.boolean()).map(([parts, ignore_case]): Question => {
      const regex = globRegex(parts, ignore_case ? 'i' : '');
      return {
        filter: { name: { glob: parts.join(''), ignore_case } },
        naive: (row, of) => regex.test(nameOf(of, row)),
      };
    }),
    fc
      .tuple(regexes, fc.constantFrom('name', 'path'), fc.boolean())
      .map(([pattern, field, ignore_case]): Question => {
        const regex = new RegExp(pattern, `u${ignore_case ? 'i' : ''}`);
        return {
          filter: { [field]: { regex: pattern, ignore_case } },
          naive: (row, of) => regex.test(field === 'name' ? nameOf(of, row) : below(of, row)),
        };
      }),
    fc.constantFrom('**/*.ts', 'da/**', 'd*/a', '**', '*/x?').map((glob): Question => {
      const regex = new RegExp(
        `^${glob.replace(/\*\*\/|\*\*|[.*?]/g, (part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '.': '\\.' })[part] ?? part)}$`,
        'u',
      );
      return { filter: { path: glob }, naive: (row, of) => regex.test(below(of, row)) };
    }),
    fc
      .nat(1_200)
      .map(
        (bytes): Question => ({ filter: { size: `>${bytes}` }, naive: (row, of) => sizeOf(of, row) > bytes }),
      ),
    fc.nat(3).map(
      (depth): Question => ({
        filter: { depth: `<=${depth}` },
        naive: (row, of) => depthOf(of, row) <= depth,
      }),
    ),
    fc
      .constantFrom('file', 'dir', 'symlink')
      .map(
        (kind): Question => ({ filter: { kind }, naive: (row, of) => kindName(of.kind[row] ?? 0) === kind }),
      ),
    fc.constantFrom('ts', 'log').map(
      (ext): Question => ({
        filter: { ext },
        naive: (row, of) =>
          kindName(of.kind[row] ?? 0) === 'file' && nameOf(of, row).toLowerCase().endsWith(`.${ext}`),
      }),
    ),
    fc.nat(7).map((k): Question => {
      const at = 1_600_000_000 + k * 1e7;
      return {
        filter: { modified: `>=${new Date(at * 1000).toISOString()}` },
        naive: (row, of) => (of.mtime[row] ?? 0) >= at,
      };
    }),
  );
  const questions = fc.letrec<{ question: Question }>((tie) => ({
    question: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie('question'), { minLength: 1, maxLength: 3 }).map(
        (parts): Question => ({
          filter: { all: parts.map(({ filter }) => filter) },
          naive: (row, of) => parts.every(({ naive }) => naive(row, of)),
        }),
      ),
      fc.array(tie('question'), { minLength: 1, maxLength: 3 }).map(
        (parts): Question => ({
          filter: { any: parts.map(({ filter }) => filter) },
          naive: (row, of) => parts.some(({ naive }) => naive(row, of)),
        }),
      ),
      tie('question').map(
        ({ filter, naive }): Question => ({ filter: { not: filter }, naive: (row, of) => !naive(row, of) }),
      ),
    ),
  })).question;

  test('give the same rows, for the whole tree and for a part of it', async () => {
    const small = await scan(place);
    const part = Array.from(small.dirRow)[3] ?? 0;
    await fc.assert(
      fc.asyncProperty(questions, fc.boolean(), async ({ filter, naive }, whole) => {
        const { from, to } = scopeBelow(small, whole ? 0 : part);
        const rows = Array.from({ length: to - from + 1 }, (_, i) => from + i);
        expect(await rowsOf(filter, small, from)).toEqual(rows.filter((row) => naive(row, small)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is no filter is refused with its place', () => {
  let deep: object = { size: '>1' };
  for (let level = 0; level < 1_000; level++) deep = level % 2 === 0 ? { all: [deep] } : { not: deep };
  const digits = '9'.repeat(400);
  test.each<[string, unknown, string, RegExp]>([
    ['an empty filter', {}, 'filter', /at least one test/],
    ['a range of nothing', { name: '[z-a]' }, 'filter.name', /'z-a', which is empty; write 'a-z'/],
    ['the same in a path', { path: 'x/[9-0]*' }, 'filter.path', /'9-0'/],
    ['two stars beside a letter', { path: 'docs/**r/a' }, 'filter.path', /for '\*\*r' write '\*\*\/\*r'/],
    ['a slash in a name', { name: 'docs/*.md' }, 'filter.name', /\{ path: '\*\*\/docs\/\*\.md' \}/],
    ['a whole path as a name', { name: '/etc/x' }, 'filter.name', /write \{ path: '\/etc\/x' \}/],
    ['no user', { not: { owner: 'nobody-of-that-name' } }, 'filter.not.owner', /no user with that name/],
    ['a glob as extension', { ext: ['log', '*.log'] }, 'filter.ext[1]', /part after the last dot/],
    ['a list', [], 'filter', /must be an object/],
    ['no JSON', '{', 'filter', /not valid JSON/],
    ['an empty all', { all: [] }, 'filter.all', /must not be empty/],
    ['an any that is no list', { any: {} }, 'filter.any', /must be a list/],
    [
      'an unknown test',
      { all: [{ size: '>1' }, { siz: '>1' }] },
      'filter.all[1]',
      /unknown test 'siz'; use one of all, any/,
    ],
    ['a name from the language', { constructor: 1 }, 'filter', /unknown test 'constructor'/],
    ['100 kB of glob', { name: 'a'.repeat(100_000) }, 'filter.name', /1 to 1000 characters, not 100000/],
    [
      '100 kB of regex',
      { path: { regex: 'a'.repeat(100_000) } },
      'filter.path.regex',
      /1000 characters, not 100000/,
    ],
    ['an open group', { name: { regex: 'a(b' } }, 'filter.name.regex', /unclosed group at character 3/],
    [
      'a wrong range',
      { not: { path: { regex: 'ab[z-a]' } } },
      'filter.not.path.regex',
      /range at character 6/,
    ],
    [
      'a giant',
      { name: { regex: 'x{1000}{1000}' } },
      'filter.name.regex',
      /very large pattern is not supported/,
    ],
    ['an open glob', { any: [{ name: '{a' }] }, 'filter.any[0].name', /'\{' without '\}'/],
    ['two patterns', { name: { regex: 'a', glob: 'b' } }, 'filter.name', /must be a glob/],
    [
      'a wrong flag',
      { name: { regex: 'a', ignore_case: 'yes' } },
      'filter.name.ignore_case',
      /true or false/,
    ],
    ['a wrong unit', { size: '>1XB' }, 'filter.size', /'>1XB' is not understood; write a size as/],
    ['a huge number', { size: `>${digits}` }, 'filter.size', /not understood/],
    ['a negative size', { size: -5 }, 'filter.size', /'-5' is not understood/],
    [
      'no date',
      { modified: 'yesterday' },
      'filter.modified',
      /'yesterday' is not understood; write an age as/,
    ],
    ['half a depth', { depth: 1.5 }, 'filter.depth', /write a depth as/],
    ['no kind', { kind: ['file', 'folder'] }, 'filter.kind[1]', /one of file, dir, symlink, other/],
    ['no extension', { ext: [] }, 'filter.ext', /must not be empty/],
    ['60 parts', { all: Array.from({ length: 60 }, () => ({ size: '>1' })) }, 'filter.all', /at most 50/],
    [
      '1,000 levels',
      deep,
      'filter.not.all[0].not.all[0].not.all[0].not.all[0].not.all[0].not.all',
      /at most 8 levels/,
    ],
  ])('%s', (_label, filter, place, message) => {
    const attempt = () => parseFilter(filter, now);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_parameter', details: { place } }));
    expect(attempt).toThrow(new RegExp(`^${place.replace(/[.[\]]/g, '\\$&')}: `));
  });
});
