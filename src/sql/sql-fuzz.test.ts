import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { openWorld } from '../../test/world.ts';
import { EXPENSIVE, REFUSED } from './hostile.fixture.ts';
import type { QueryRequest } from './query-messages.ts';
import { createQueryProcesses } from './query-processes.ts';
import { TABLES } from './subjects.ts';

/** `PINHOLE_SQL_STATEMENTS=10000 npx vitest run src/sql/sql-fuzz.test.ts` tries as many as the release did. */
const STATEMENTS = Number(process.env.PINHOLE_SQL_STATEMENTS ?? 200);
const LIMIT_MS = 1_500;
const CANARY = 'canary-4f1c9';

const processes = createQueryProcesses();
afterAll(() => processes.close());

let base: Omit<QueryRequest, 'query' | 'reads'>;
let home = '';
let before = '';

/** Every file of the data folder and of the folder beside it, with its content. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(`${name}\n`).update(readFileSync(name));
  return hash.digest('hex');
}

beforeAll(async () => {
  const world = await openWorld();
  const disk = (await world.app.services.disk.indexes.list()).find(({ root }) => root === world.root);
  if (disk === undefined) throw new Error('the world has no index');
  // A copy that nobody else writes, with files beside it that no query may reach.
  home = temporaryFolder();
  const sessions = join(home, 'sessions.db');
  const copy = new DatabaseSync(join(world.app.home, 'sessions.db'));
  copy.prepare('VACUUM INTO ?').run(sessions);
  copy.close();
  const other = new DatabaseSync(join(home, 'other.db'));
  other.exec(`CREATE TABLE secrets (a); INSERT INTO secrets VALUES ('${CANARY}')`);
  other.close();
  mkdirSync(join(home, 'beside'));
  writeFileSync(join(home, 'beside', 'note.txt'), CANARY);
  const folder = world.app.services.disk.indexes.folderOf(disk);
  base = {
    now: Date.now(),
    zone: 'UTC',
    settings: { prices: {} },
    databases: { sessions: [sessions], code: [] },
    disk: [{ id: disk.id, file: join(folder, 'tree.idx'), growthFolder: folder, version: '1' }],
    found: [],
    duplicates: ['a', 'b'].map((name) => ({ path: `/x/${name}`, size: 5_000, copies: 2, hash: 'f00' })),
  };
  before = fingerprint();
});

type Outcome = 'answered' | 'refused' | 'stopped' | 'memory';

/** What becomes of a statement; anything else is a failure. */
async function outcomeOf(query: string, ms = LIMIT_MS): Promise<Outcome> {
  const signal = AbortSignal.timeout(ms);
  try {
    const { reads } = await processes.look(query, signal);
    const { rows } = await processes.run({ ...base, query, reads }, signal);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    return 'answered';
  } catch (error) {
    if (signal.aborted) return 'stopped';
    const { message = '' } = error instanceof Error ? error : {};
    expect(error).toMatchObject({ code: 'invalid_parameter' });
    expect(message).not.toContain(CANARY);
    return /too much memory/.test(message) ? 'memory' : 'refused';
  }
}

const names = TABLES.flatMap(({ name, columns }) => [name, ...Object.keys(columns)]);
const NAMES = [
  ...names,
  ...[
    'sqlite_master',
    'sqlite_schema',
    'nodes',
    'dirs',
    'tools',
    'grams',
    'bodies',
    'found_rows',
    'main',
    'temp',
  ],
  ...[
    'db1',
    'db1.tools',
    'db1.sqlite_master',
    'main.nodes',
    'temp.files',
    'secrets',
    'pragma_table_list',
    'x',
    'rowid',
  ],
];
const FUNCTIONS =
  'count sum max min abs hex upper length printf zeroblob randomblob load_extension readfile writefile json json_extract json_each group_concat replace substr regexp snip around dirname size ago event_text response_cost sqlite_version quote char unhex'.split(
    ' ',
  );
const WRITES = [
  ...["attach 'other.db' as o", 'pragma database_list', 'insert into files values (1)', 'delete from calls'],
  ...['drop view files', 'vacuum into "x.db"', 'create table t (a)', 'update sessions set cost = 0'],
];
const literal = fc.constantFrom(
  '1',
  '-1',
  "'a'",
  "'%'",
  'null',
  '9e999',
  "x'00'",
  '9223372036854775807',
  "''",
  "'7d'",
);

const { statement } = fc.letrec<{ statement: string; expression: string; source: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...NAMES),
    literal,
    fc
      .tuple(fc.constantFrom(...FUNCTIONS), fc.array(tie('expression'), { maxLength: 3 }))
      .map(([name, values]) => `${name}(${values.join(', ')})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '||', '=', 'like', 'glob', 'regexp', 'in', '->>', 'and', '/'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    tie('statement').map((inner) => `(${inner})`),
  ),
  source: fc.oneof(
    { depthSize: 'small' },
    { weight: 5, arbitrary: fc.constantFrom(...TABLES.map(({ name }) => name)) },
    fc.constantFrom(...NAMES),
    tie('statement').map((inner) => `(${inner})`),
    fc
      .tuple(tie('source'), fc.constantFrom(',', 'join', 'left join', 'natural join'), tie('source'))
      .map((parts) => parts.join(' ')),
  ),
  statement: fc.oneof(
    { depthSize: 'small' },
    fc
      .record({
        columns: fc.array(fc.oneof(fc.constant('*'), tie('expression')), { minLength: 1, maxLength: 3 }),
        source: fc.option(tie('source'), { nil: undefined }),
        where: fc.option(tie('expression'), { nil: undefined }),
        group: fc.option(tie('expression'), { nil: undefined }),
        limit: fc.boolean(),
      })
      .map(({ columns, source, where, group, limit }) =>
        [
          `select ${columns.join(', ')}`,
          source && `from ${source}`,
          where && `where ${where}`,
          group && `group by ${group}`,
          limit && 'limit 20',
        ]
          .filter(Boolean)
          .join(' '),
      ),
    fc
      .tuple(fc.constantFrom(...NAMES), tie('statement'), tie('statement'))
      .map(([name, inner, outer]) => `with ${name.replace('.', '_')} as (${inner}) ${outer}`),
    fc.tuple(tie('statement'), tie('statement')).map(([a, b]) => `${a} union all ${b}`),
    fc.tuple(tie('statement'), fc.constantFrom(...WRITES)).map(([a, b]) => `${a}; ${b}`),
    fc.constantFrom(...WRITES, ...REFUSED),
  ),
}));

/** Statements that mostly compile: columns of the table they read, functions that exist. */
const plausible = fc
  .constantFrom(...TABLES)
  .chain(({ name, columns }) => {
    const column = fc.constantFrom(...Object.keys(columns).map((each) => `"${each}"`));
    const value = fc.oneof(
      column,
      literal,
      fc
        .tuple(
          fc.constantFrom('upper', 'length', 'hex', 'quote', 'abs', 'snip', 'size', 'typeof', 'max', 'count'),
          column,
        )
        .map(([f, c]) => `${f}(${c})`),
      // Rewritten for `files`, if the rest of the statement lets it.
      fc
        .tuple(
          fc.constantFrom('path', '"path"', 'folder', `${name}.path`),
          fc.constantFrom('', ', 1', ', 2', ', -1', ', 1, root', ", 1, '/tmp'", ', null', ", 'a'"),
        )
        .map(([c, rest]) => `dirname(${c}${rest})`),
      fc
        .tuple(column, fc.constantFrom('||', '+', '*', '->>'), fc.oneof(column, literal))
        .map((parts) => parts.join(' ')),
    );
    const test = fc
      .tuple(
        column,
        fc.constantFrom('=', '>', 'like', 'glob', 'regexp', 'is not', 'between 1 and'),
        fc.oneof(literal, fc.constantFrom("'^a.*ts$'", "'Read|Write'", "'(a+)+$'", "'('")),
      )
      .map((parts) => parts.join(' '));
    return fc.record({
      name: fc.constant(name),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
      test: fc.option(test, { nil: '1' }),
      group: fc.constantFrom(
        '',
        'group by 1',
        'order by 1 desc',
        'group by 1 having count(*) > 1 order by 1',
      ),
      around: fc.constantFrom('', 'with', 'from', 'self'),
    });
  })
  .map(({ name, values, test: where, group, around }) => {
    const inner = `select ${values.map((value, i) => `${value} as c${i}`).join(', ')} from ${name} where ${where} ${group}`;
    if (around === 'with') return `with t as (${inner}) select count(*), max(c0) from t`;
    if (around === 'from') return `select * from (${inner}) limit 10`;
    if (around === 'self') return `select count(*) from ${name} a, ${name} b where exists (${inner})`;
    return inner;
  });

const mixed = fc.oneof({ weight: 3, arbitrary: plausible }, { weight: 2, arbitrary: statement });

test('random statements read what is promised and nothing else', { timeout: 3_600_000 }, async () => {
  const counts: Record<Outcome, number> = { answered: 0, refused: 0, stopped: 0, memory: 0 };
  await fc.assert(
    fc.asyncProperty(mixed, async (query) => {
      counts[await outcomeOf(query.slice(0, 20_000))]++;
    }),
    { numRuns: STATEMENTS },
  );
  console.log(`${STATEMENTS} statements: ${JSON.stringify(counts)}`);
  expect(counts.answered).toBeGreaterThan(STATEMENTS / 4);
  expect(fingerprint()).toBe(before);
});

test('what is refused never runs', async () => {
  for (const query of REFUSED) expect([query, await outcomeOf(query)]).toEqual([query, 'refused']);
  expect(fingerprint()).toBe(before);
});

test('what is expensive ends at the limit, and the next query is answered', async () => {
  for (const query of EXPENSIVE) {
    const started = performance.now();
    expect(['answered', 'refused', 'stopped', 'memory']).toContain(await outcomeOf(query));
    expect(performance.now() - started).toBeLessThan(LIMIT_MS + 15_000);
    expect(await outcomeOf('select count(*) from sessions', 20_000)).toBe('answered');
  }
  expect(fingerprint()).toBe(before);
});
