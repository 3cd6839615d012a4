import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/app/operations.ts';
import { byteLength } from '../src/contract/bytes.ts';
import type { Caller } from '../src/contract/caller.ts';
import { ERROR_STATUS } from '../src/contract/errors.ts';
import { isObject } from '../src/contract/guards.ts';
import { inputJsonSchema, inputSchema, type RawInput } from '../src/contract/input.ts';
import { columnsOf, type Operation, type Row, rowsOf } from '../src/contract/operation.ts';
import { painter } from '../src/contract/painted-text.ts';
import { formatsOf } from '../src/http/formats.ts';
import { caller } from './support.ts';
import { CODEX, openWorld, SECRET, SESSION } from './world.ts';

const world = await openWorld();
const { app, root, node_id, shell, index_id, query_id, selection_id, plan_id, file } = world;

/** A question with an answer for every operation; an operation without one fails its test. */
const QUESTIONS: Readonly<Record<string, RawInput>> = {
  sql: { query: 'select path, size, modified from files order by path' },
  regex_search: { pattern: 'retr|export|secret', path: root },
  semantic_search: { query: 'retry a request', path: root },
  hybrid_search: { query: 'retryRequest', path: root },
  symbol: { name: 'retryRequest7' },
  outline: { path: join(root, 'src') },
  code_history: { pattern: 'line', path: world.repository },
  find_files: { query: 'module', path: root },
  code_indexes: {},
  list_sessions: {},
  get_project_info: {},
  get_session_summary: { session_id: SESSION },
  get_session_turns: { session_id: SESSION },
  get_turn_steps: { session_id: SESSION, turn_index: 1 },
  get_session_full: { session_id: SESSION, cursor: 'start' },
  analyze_session: { session_id: SESSION },
  search_event_previews: { query: 'e' },
  get_event_details: { session_id: SESSION, event_index: 3 },
  file_history: { path: join(root, 'src/module-1.ts') },
  commit_sessions: { path: world.repository },
  commit_trace: { path: world.repository },
  blame: { path: join(world.repository, 'file-1.txt') },
  how_fixed: { error: 'Error: something failed' },
  recall: { session_id: SESSION },
  brief: { session_id: SESSION },
  mark_session: { session_id: SESSION, starred: true, note: 'worth reading' },
  session_export: { session_id: SESSION },
  compare_sessions: { a: SESSION, b: CODEX },
  get_reasoning_chain: { session_id: SESSION },
  session_files: { session_id: SESSION },
  session_subagents: { session_id: SESSION },
  session_timeline: { session_id: SESSION },
  current_session: { session_id: SESSION },
  usage: {},
  sessions_doctor: {},
  sessions_archive: {},
  get_session_details: { session_id: SESSION, detail_level: 'turns' },
  get_session_by_id: { session_id: SESSION },
  search_events: { pattern: 'e' },
  cd: { path: root },
  inspect: { path: join(root, 'src') },
  disk_summary: { under: root },
  disk_find: { name: '*.ts', under: root },
  disk_largest: { under: root },
  disk_extensions: { under: root },
  disk_ages: { under: root },
  disk_duplicates: { under: root, min_size: 1 },
  disk_growth: { under: root },
  disk_tree: { index_id },
  disk_treemap: { index_id },
  disk_compare: { index_id, other: world.imported.index_id },
  disk_import: { file },
  disk_indexes: {},
  disk_index: { index_id },
  query_run: { filter: { ext: 'txt' }, index_id },
  query_list: {},
  query_get: { query_id },
  resource_set_create: { name: 'more', index_id, node_ids: [node_id] },
  resource_set_list: {},
  resource_set_get: { selection_id },
  resource_set_entries: { selection_id },
  resource_set_update: { selection_id, name: 'renamed' },
  session_preferences: { shell, units: 'iec' },
  disk_plan_create: { selection_id },
  disk_plans: {},
  disk_plan: { plan_id },
  index: { root },
  job_progress: { job_id: 'j1' },
  job_list: {},
  job_cancel: { job_id: 'j1' },
  health: {},
  audit: {},
  stats: {},
  allow: {},
  file_view: { path: join(root, 'src/module-1.ts') },
};

/** Cannot be asked again and again: they use up what they are asked about, and have tests of their own. */
const ONCE = new Set([
  'disk_export',
  'disk_plan_run',
  'disk_plan_undo',
  'disk_index_delete',
  'query_delete',
  'resource_set_delete',
  'session_forget',
]);

/** Their answers name the columns, and rows are lists of cells. */
const NAMES_COLUMNS = new Set(['sql']);

const PEOPLE = new Set(['cli', 'page']);
let callers = 0;
const who = (changes: Partial<Caller>) =>
  caller({ roots: [root], cwd: root, door: 'cli', id: `p${callers++}`, ...changes });

const ask = (name: string, input: RawInput, changes: Partial<Caller>) =>
  app.engine.run(name, input, { caller: who(changes) });

/** Fields that are unknown are left out; only the cells of a table of `sql` have no other way to be empty. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  if (isObject(value) && 'columns' in value && 'rows' in value) return false;
  return typeof value === 'object' && Object.values(value).some(holdsNull);
}

/** What every answer owes its caller, whatever was asked. */
function checkAnswer(
  answer: Awaited<ReturnType<typeof ask>>,
  { budget, format }: { readonly budget: number; readonly format: 'json' | 'text' },
): void {
  const { text, bytes, tokens } = answer.rendered;
  expect(bytes).toBe(byteLength(text));
  expect(bytes).toBeLessThanOrEqual(budget);
  expect(text).not.toMatch(/(?!\n)(?!\t)\p{Cc}|[\u202a-\u202e]/u);
  expect(text).not.toContain('\ufffd');
  expect(text).not.toContain(SECRET.slice(0, 20));
  if (!answer.ok) {
    expect(answer.error.code).not.toBe('internal_error');
    expect(Object.keys(ERROR_STATUS)).toContain(answer.error.code);
    expect(answer.error.message.length).toBeGreaterThan(5);
    return;
  }
  const { data, pagination, next } = answer.envelope;
  expect(holdsNull(data)).toBe(false);
  expect(pagination?.next_cursor?.length ?? 0).toBeLessThanOrEqual(24);
  for (const call of next ?? []) {
    const suggested = OPERATIONS.find((each) => each.name === call.operation);
    expect(suggested && inputSchema(suggested).safeParse(call.input).success, call.operation).toBe(true);
  }
  if (format === 'json') {
    const body = JSON.parse(text);
    expect(body.meta).toMatchObject({ bytes, estimated_tokens: tokens });
  }
}

const definedKeys = (row: object) =>
  Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [name]));

/** The data as it is sent: without what is undefined. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const cases = OPERATIONS.map((operation) => [operation.name, operation] as const);

describe.each(cases.filter(([name]) => !ONCE.has(name)))('%s', (name, operation) => {
  test('answers with the data it declares', async () => {
    const answer = await ask(name, QUESTIONS[name] ?? {}, { budget: 1_000_000 });
    if (!answer.ok) throw new Error(answer.error.message);
    const { data } = answer.envelope;
    // Parsing drops what the schema does not know: nothing may be missing afterwards.
    expect(operation.data.parse(data)).toEqual(sent(data));
    checkAnswer(answer, { budget: 1_000_000, format: 'json' });
    if (NAMES_COLUMNS.has(name)) return;
    const table = await ask(name, QUESTIONS[name] ?? {}, { budget: 1_000_000, flat: true });
    for (const row of (table.ok && rowsOf(operation, table.envelope.data)) || [])
      expect(columnsOf(operation)).toEqual(expect.arrayContaining(definedKeys(row)));
  });

  test.runIf(operation.limit !== undefined)('gives a whole list to who wants it', async () => {
    const answer = await ask(name, { ...QUESTIONS[name], limit: 1 }, { budget: 50_000_000, whole: true });
    if (!answer.ok) throw new Error(answer.error.message);
    const { has_more = false } = answer.envelope.pagination ?? {};
    expect(has_more).toBe(false);
    if (NAMES_COLUMNS.has(name)) return;
    const page = await ask(name, QUESTIONS[name] ?? {}, { budget: 1_000_000 });
    if (!page.ok) throw new Error(page.error.message);
    const count = (data: unknown) => rowsOf(operation, data)?.length ?? 0;
    expect(count(answer.envelope.data)).toBeGreaterThanOrEqual(count(page.envelope.data));
  });

  test('any budget and format: within the budget, nothing null, no split character, no secret', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          budget: fc.constantFrom(2_000, 4_000, 8_000, 100_000),
          format: fc.constantFrom('json' as const, 'text' as const),
          door: fc.constantFrom('mcp' as const, 'rest' as const, 'cli' as const),
          limit: fc.option(fc.integer({ min: 1, max: operation.limit?.max ?? 1 }), { nil: undefined }),
        }),
        async ({ limit, ...changes }) => {
          const paged = operation.limit === undefined || limit === undefined ? {} : { limit };
          const answer = await ask(name, { ...QUESTIONS[name], ...paged }, changes);
          const onlyPeople = !answer.ok && !PEOPLE.has(changes.door);
          if (!onlyPeople) expect(answer.ok || answer.error.message).toBe(true);
          checkAnswer(answer, changes);
        },
      ),
      { numRuns: 12 },
    );
  });

  test.runIf(operation.toolset !== undefined)('to an agent it says no more than its data', async () => {
    const answer = await ask(name, QUESTIONS[name] ?? {}, { format: 'text', door: 'mcp' });
    if (!answer.ok) throw new Error(answer.error.message);
    const { data, pagination, meta } = answer.envelope;
    const own = byteLength(
      operation
        .text(data as never, { units: 'si', now: Date.now(), zone: 'UTC', paint: painter(undefined) })
        .trimEnd(),
    );
    const warns = ['indexing', 'truncated', 'skipped', 'depth_limit'].some((fact) => fact in meta);
    const goesOn = answer.envelope.next?.some((call) => call.operation === name) === true;
    if (!warns && !goesOn) expect(answer.rendered.bytes - own).toBeLessThanOrEqual(40);
    expect(answer.rendered.text).not.toContain('http://');
    // What another call takes must be there to be taken; the selections of saved queries are told by query_get,
    // folders and matches on the disk by their paths, and a job that is done needs no further call.
    if (['query_list', 'query_run', 'session_preferences', 'index', 'job_progress'].includes(name)) return;
    const { text } = answer.rendered;
    const asked = JSON.stringify(QUESTIONS[name] ?? {});
    const handles = [...handlesIn(data), pagination?.next_cursor ?? ''].filter(
      (each) => !asked.includes(each),
    );
    expect(handles.filter((handle) => !text.includes(handle))).toEqual([]);
  });

  test.runIf(operation.limit !== undefined && operation.rows !== undefined)(
    'its pages together are the whole list',
    async () => {
      const all = async (limit: number, budget: number) => {
        const rows: unknown[] = [];
        let input: RawInput = { ...QUESTIONS[name], limit };
        for (let page = 0; page < 400; page++) {
          const answer = await ask(name, input, { budget });
          if (!answer.ok) throw new Error(answer.error.message);
          rows.push(...(rowsOf(operation, answer.envelope.data) ?? []).flatMap(hitsOf));
          const cursor = answer.envelope.pagination?.next_cursor;
          if (cursor === undefined) return rows.map(identity);
          input = { cursor };
        }
        throw new Error('the pages do not end');
      };
      // Changes between two walks are not what is tested here.
      if (['audit', 'job_list'].includes(name)) return;
      const whole = await all(operation.limit?.max ?? 1, 50_000_000);
      expect(await all(7, 50_000_000)).toEqual(whole);
      expect(new Set(whole.map((row) => JSON.stringify(row))).size).toBe(whole.length);
    },
  );

  test('wrong input gets an error that says what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput(operation),
        fc.constantFrom(2_000, 8_000),
        fc.constantFrom('json' as const, 'text' as const),
        async (input, budget, format) => {
          const answer = await ask(name, { ...QUESTIONS[name], ...input }, { budget, format, door: 'mcp' });
          checkAnswer(answer, { budget, format });
        },
      ),
      { numRuns: 15 },
    );
    expect(app.logged).toEqual([]);
  });
});

/** The names of things in an answer that other calls take; an index is found by its folder too. */
function handlesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== 'index_id' && typeof inner === 'string' && /^(shell|.*_id)$/.test(name))
      return [inner.slice(0, 8)];
    return handlesIn(inner);
  });
}

/** Hits of a file are grouped by page: each counts for itself. */
function hitsOf(row: Row): readonly unknown[] {
  const { hits, ...rest } = row;
  return Array.isArray(hits) ? hits.map((hit: object) => ({ ...rest, ...hit })) : [row];
}

/** A row without what may differ between two pages of the same list. */
function identity(row: unknown): unknown {
  // How full the disk is changes between two calls.
  const { score, volume, ...rest } = { ...(sent(row) as object) } as Record<string, unknown>;
  return rest;
}

type Field = { type?: string; enum?: readonly string[]; minimum?: number; maximum?: number; items?: Field };

/** Values a field may be given: mostly legal, sometimes at the edge, sometimes wrong. */
function valueFor(schema: Field): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum, 'wrong');
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.oneof(
      fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 100_000) }),
      fc.constantFrom(-1, 0, 1e9),
    );
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.array(valueFor(schema.items ?? {}), { maxLength: 5 });
  return fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), fc.constantFrom('x'.repeat(5_000), '.', ''));
}

/** One field of the question replaced by any value. */
function anyInput(operation: Operation<never>): fc.Arbitrary<RawInput> {
  const properties = Object.entries((inputJsonSchema(operation).properties ?? {}) as Record<string, Field>);
  if (properties.length === 0) return fc.constant({ unknown: 1 });
  return fc
    .constantFrom(...properties)
    .chain(([name, schema]) => valueFor(schema).map((value) => ({ [name]: value })));
}

test('names and routes are unique and of one spelling', () => {
  const names = OPERATIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,39}$/);
  const routes = OPERATIONS.flatMap(({ http }: Operation<never>) => [http ?? []].flat());
  expect(new Set(routes).size).toBe(routes.length);
  const commands = OPERATIONS.flatMap(({ command }: Operation<never>) => (command ? [command.words] : []));
  expect(new Set(commands).size).toBe(commands.length);
});

test('every input is described, and every list of a route names its rows and has columns', () => {
  for (const operation of OPERATIONS as readonly Operation<never>[]) {
    const { name, limit, http, rows } = operation;
    for (const [input, field] of Object.entries(inputJsonSchema(operation).properties ?? {}))
      expect([name, input, typeof field.description]).toEqual([name, input, 'string']);
    if (limit !== undefined && http !== undefined) expect([name, rows]).not.toEqual([name, undefined]);
    expect(formatsOf(operation).includes('csv')).toBe(rows !== undefined);
    if (!NAMES_COLUMNS.has(name))
      expect([name, columnsOf(operation).length > 0]).toEqual([name, rows !== undefined]);
  }
});
