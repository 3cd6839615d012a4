import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import { counted, tries } from '../reliability/counted.ts';
import { caller } from '../support.ts';
import { openWorld, SECRET, SESSION } from '../world.ts';
import { oddValue as oddValues } from './odd-values.ts';

/* Whatever is asked, the answer is one, in time and in size, and never `internal_error`. */

const RUNS = tries('PINHOLE_FUZZ', 150);
const BUDGET = 8_000;
const world = await openWorld();
let calls = 0;

async function ask(operation: string, input: Record<string, unknown>): Promise<void> {
  const who = caller({ roots: [world.root], cwd: world.root, id: `fuzz ${calls++}`, budget: BUDGET });
  const answer = await world.app.engine.run(operation, input, { caller: who });
  const shown = answer.rendered.text;
  const at = `${operation} ${JSON.stringify(input).slice(0, 2_000)}`;
  expect(Buffer.byteLength(shown), at).toBeLessThanOrEqual(BUDGET + 200);
  expect(shown.includes(SECRET), at).toBe(false);
  if (!answer.ok) expect(answer.error.code, `${at}: ${answer.error.message}`).not.toBe('internal_error');
}

const READING = OPERATIONS.filter(({ readOnly }) => readOnly).map(({ name, input }) => ({
  name,
  fields: Object.keys(input.shape),
}));
const oddValue = oddValues(SECRET, SESSION);

test('random values in the fields of every operation', async ({ task }) => {
  const anyCall = fc.constantFrom(...READING).chain(({ name, fields }) =>
    fc.record({
      name: fc.constant(name),
      input: fc.dictionary(fc.constantFrom(...fields, 'unknown'), oddValue, { maxKeys: 4 }),
    }),
  );
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(anyCall, async ({ name, input }) => {
      await ask(name, input);
      tried++;
    }),
    { numRuns: RUNS * 4 },
  );
  counted(task, tried, tried);
});

test('random cursors', async ({ task }) => {
  let tried = 0;
  const cursor = fc.oneof(
    fc.tuple(fc.constantFrom('c', 'r'), fc.nat(200)).map(([kind, n]) => `${kind}${n}`),
    fc.string({ maxLength: 24 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...READING), cursor, async ({ name }, given) => {
      await ask(name, { cursor: given });
      tried++;
    }),
    { numRuns: RUNS * 2 },
  );
  counted(task, tried, tried);
});

test('random filters', async ({ task }) => {
  const leaf = fc.dictionary(
    fc.constantFrom('name', 'regex', 'ext', 'kind', 'size', 'modified', 'owner', 'depth', 'odd'),
    oddValue,
    { maxKeys: 3 },
  );
  const { filter } = fc.letrec((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ not: tie('filter') }),
      fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
      fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    ),
  }));
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('disk_find', 'disk_summary', 'disk_treemap'),
      filter,
      async (name, given) => {
        await ask(name, { index_id: world.index_id, filter: given });
        tried++;
      },
    ),
    { numRuns: RUNS * 2 },
  );
  counted(task, tried, tried);
});

test('random SQL', async ({ task }) => {
  const word = fc.constantFrom(
    ...'SELECT * FROM events sessions files WHERE a = 1 ( ) , ; GROUP BY ORDER LIMIT 10 JOIN ON UNION ALL WITH x AS RECURSIVE PRAGMA ATTACH DELETE DROP UPDATE load_extension readfile sqlite_master'.split(
      ' ',
    ),
    "'",
    '"',
    '--',
    '/*',
    '\0',
  );
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 14 }), async (words) => {
      await ask('sql', { query: words.join(' ') });
      tried++;
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
  counted(task, tried, tried);
});
