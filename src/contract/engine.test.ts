import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditEntry, CallGlance } from './audit-log.ts';
import type { Caller } from './caller.ts';
import { memoryCursors } from './cursor.ts';
import { createEngine, type Engine } from './engine.ts';
import { fail } from './errors.ts';
import { operation, page, type Single, single } from './operation.ts';
import { createResultSets } from './result-sets.ts';

/** A list in memory that tests change between pages. */
const table = new Map<number, string>();

const list = operation()({
  name: 'list',
  toolset: 'disk',
  readOnly: true,
  summary: 'Rows by number.',
  input: z.strictObject({ only: z.string().optional() }),
  data: z.custom<{ rows: readonly unknown[] }>(),
  limit: { default: 10, max: 50 },
  run: ({ only }, { after, limit }) =>
    page<{ id: number; text: string }, { rows: readonly unknown[] }>({
      rows: [...table]
        .filter(
          ([id, text]) =>
            id > (typeof after === 'number' ? after : -1) && (only === undefined || text.includes(only)),
        )
        .sort(([a], [b]) => a - b)
        .slice(0, limit + 1)
        .map(([id, text]) => ({ id, text })),
      position: ({ id }) => id,
      shape: (rows) => ({ rows }),
      whole: ({ id }) => ({ operation: 'show', input: { id } }),
    }),
  text: ({ rows }) => rows.map((row) => JSON.stringify(row)).join('\n'),
});

const glance = operation()({
  name: 'glance',
  toolset: 'disk',
  readOnly: true,
  summary: 'Rows by number, a few kilobytes of them.',
  input: z.strictObject({}),
  limit: { default: 10, max: 50 },
  glance: 2_500,
  data: z.custom<{ budget: number; rows: readonly unknown[] }>(),
  run: (_input, { budget }) =>
    page<[number, string], { budget: number; rows: readonly unknown[] }>({
      rows: [...table],
      position: ([id]) => id,
      shape: (rows) => ({ budget, rows }),
    }),
  text: () => '',
});

let searches = 0;
const search = operation()({
  name: 'search',
  toolset: 'code',
  readOnly: true,
  summary: 'Kept results.',
  input: z.strictObject({ query: z.string(), path: z.string().optional() }),
  data: z.custom<{ hits: readonly string[] }>(),
  limit: { default: 3, max: 50 },
  narrows: ['path'],
  run: ({ query }, { now }) => {
    searches++;
    const started = now();
    return page<string, { hits: readonly string[] }>({
      meta: {
        get ms() {
          return now() - started;
        },
      },
      rows: (function* () {
        for (let i = 0; i < 20; i++) yield `${i % 2 === 0 ? 'even' : 'odd'}/${query}${i}`;
      })(),
      position: () => 0,
      shape: (hits) => ({ hits }),
      keep: { narrow: (row, { path }) => row.startsWith(String(path)) },
    });
  },
  text: ({ hits }) => hits.join('\n'),
});

const slow = operation()({
  name: 'slow',
  toolset: 'code',
  readOnly: true,
  summary: 'Never ends.',
  input: z.strictObject({ first: z.int().min(0).max(10).default(0) }),
  data: z.custom<{ rows: readonly number[] }>(),
  limit: { default: 50, max: 50 },
  run: ({ first }, { signal }) =>
    page<number, { rows: readonly number[] }>({
      rows: (async function* () {
        for (let i = 0; i < first; i++) yield i;
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('torn down'))),
        );
      })(),
      position: (row) => row,
      shape: (rows) => ({ rows }),
      searched: () => '7 files',
    }),
  text: ({ rows }) => rows.join('\n'),
});

const tally = operation()({
  name: 'tally',
  toolset: 'code',
  readOnly: true,
  summary: 'Counts until it is stopped.',
  input: z.strictObject({}),
  data: z.object({ count: z.int() }),
  run: (_input, { signal }) =>
    new Promise<Single<{ count: number }>>((resolve) => {
      signal.addEventListener('abort', () => resolve(single({ count: 3 }, { meta: { truncated: true } })));
    }),
  text: ({ count }) => String(count),
});

const broken = operation()({
  name: 'broken',
  toolset: 'code',
  readOnly: true,
  summary: 'Throws.',
  input: z.strictObject({ how: z.string() }),
  data: z.object({}),
  perMinute: 3,
  run: ({ how }) => {
    if (how === 'known') fail('not_found', 'No such thing; list shows them.', { details: { id: 7 } });
    throw new Error(`secret path /root/private/${how}`);
  },
  text: () => '',
});

const big = operation()({
  name: 'big',
  toolset: 'code',
  readOnly: true,
  summary: 'One large thing.',
  input: z.strictObject({ size: z.int().min(0).max(10_000_000) }),
  data: z.object({ name: z.string(), text: z.string(), list: z.array(z.int()) }),
  run: ({ size }) =>
    single(
      { name: 'thing', text: 'é'.repeat(size), list: Array.from({ length: 50 }, (_, i) => i) },
      { next: [{ operation: 'smaller', input: {} }] },
    ),
  text: ({ text }) => text,
});

function app(options: { now?: () => number; timeoutMs?: number } = {}) {
  const log: string[] = [];
  const audit: AuditEntry[] = [];
  const asked: (CallGlance | undefined)[] = [];
  const now = options.now ?? Date.now;
  const engine = createEngine({
    operations: [list, glance, search, slow, tally, broken, big],
    services: {},
    cursors: memoryCursors(),
    results: createResultSets(now),
    audit: {
      record(entry, glance) {
        audit.push(entry);
        asked.push(glance);
      },
    },
    allowed: async () => [],
    baseUrl: () => 'http://127.0.0.1:4747',
    log: (line) => log.push(line),
    now,
    timeoutMs: options.timeoutMs ?? 30_000,
  });
  return { engine, log, audit, asked };
}

const who: Caller = { door: 'mcp', client: 'test', id: 'test', roots: [], budget: 8_000, format: 'json' };
const call = async (
  engine: Engine,
  name: string,
  input: Record<string, unknown>,
  changes: Partial<Caller> = {},
) => {
  const answer = await engine.run(name, input, { caller: { ...who, ...changes } });
  const { text, bytes } = answer.rendered;
  const body = changes.format === 'text' && answer.ok ? undefined : JSON.parse(text);
  return { text, bytes, ok: answer.ok, code: answer.ok ? undefined : answer.error.code, body };
};

describe('a glance', () => {
  const glance = (limit: number | undefined, budget: number) => {
    table.clear();
    for (let i = 0; i < 50; i++) table.set(i, 'x'.repeat(500));
    return call(app().engine, 'glance', limit === undefined ? {} : { limit }, { budget });
  };

  test('is the size of an answer where the budget is small and no more rows are wanted than usual', async () => {
    const { bytes, body } = await glance(undefined, 8_000);
    expect(bytes).toBeLessThanOrEqual(2_500);
    expect(bytes).toBeGreaterThan(1_500);
    expect(body.data.budget).toBe(2_500);
    expect((await glance(5, 8_000)).bytes).toBeLessThanOrEqual(2_500);
  });

  test('is not for callers who want more rows or have room', async () => {
    expect((await glance(11, 8_000)).body).toMatchObject({
      data: { budget: 8_000 },
      pagination: { total_in_page: 11 },
    });
    expect((await glance(undefined, 1_000_000)).body.pagination.total_in_page).toBe(10);
  });
});

describe('keyset pages', () => {
  test('a cursor alone continues, and the same cursor gives the same page', async () => {
    table.clear();
    for (let i = 0; i < 25; i++) table.set(i, `row ${i}`);
    const { engine } = app();
    const first = await call(engine, 'list', {});
    expect(first.body.pagination).toMatchObject({ total_in_page: 10, has_more: true });
    const { next_cursor } = first.body.pagination;
    expect(next_cursor.length).toBeLessThanOrEqual(24);
    const second = await call(engine, 'list', { cursor: next_cursor });
    expect(second.body.data.rows[0]).toEqual({ id: 10, text: 'row 10' });
    expect((await call(engine, 'list', { cursor: next_cursor })).text).toBe(second.text);
    const last = await call(engine, 'list', { cursor: second.body.pagination.next_cursor });
    expect(last.body.pagination).toEqual({ total_in_page: 5, has_more: false });
  });

  test('the same question gives the same bytes', async () => {
    const { engine } = app();
    expect((await call(engine, 'list', {})).text).toBe((await call(engine, 'list', {})).text);
  });

  test('each row exactly once, whatever the sizes and the budget, while rows come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3_000), { minLength: 1, maxLength: 60 }),
        fc.constantFrom(2_000, 8_000, 100_000),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.nat(200), fc.boolean()), { maxLength: 20 }),
        fc.constantFrom('json' as const, 'text' as const),
        async (sizes, budget, limit, changes, format) => {
          table.clear();
          sizes.forEach((size, i) => {
            table.set(i * 3, '"ü'.repeat(size));
          });
          const { engine } = app();
          const stays = new Set([...table.keys()]);
          const seen: number[] = [];
          let cursor: string | undefined;
          const pending = [...changes];
          do {
            const answer = await engine.run('list', cursor === undefined ? { limit } : { cursor }, {
              caller: { ...who, budget, format },
            });
            expect(answer.ok).toBe(true);
            const { text, bytes } = answer.rendered;
            expect(bytes).toBe(Buffer.byteLength(text));
            expect(bytes).toBeLessThanOrEqual(budget);
            expect(text).not.toContain('\ufffd');
            if (format === 'json') {
              const body = JSON.parse(text);
              expect(body.meta.bytes).toBe(bytes);
              for (const row of body.data.rows) seen.push(row.id);
              cursor = body.pagination.next_cursor;
            } else {
              for (const match of text.matchAll(/^\{"id":(\d+)/gm)) seen.push(Number(match[1]));
              cursor = /^more: cursor=(\S+)/m.exec(text)?.[1];
            }
            const change = pending.shift();
            if (change) {
              const [id, insert] = change;
              if (insert && !table.has(id)) table.set(id, 'new');
              else if (!insert && table.delete(id)) stays.delete(id);
            }
          } while (cursor !== undefined);
          expect(new Set(seen).size).toBe(seen.length);
          for (const id of stays) expect(seen).toContain(id);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a row too large for any page is cut and says where it is whole', async () => {
    table.clear();
    table.set(1, 'x'.repeat(20_000));
    table.set(2, 'small');
    const { engine } = app();
    const first = await call(engine, 'list', {});
    expect(first.bytes).toBeLessThanOrEqual(8_000);
    expect(first.body.data.rows[0].text).toMatch(/x…\[\+\d+ bytes\]$/);
    expect(first.body.next).toEqual([{ operation: 'show', input: { id: 1 } }]);
    expect(
      (await call(engine, 'list', { cursor: first.body.pagination.next_cursor })).body.data.rows,
    ).toEqual([{ id: 2, text: 'small' }]);
  });
});

describe('kept results', () => {
  test('later pages do not search again, and filters narrow what is kept', async () => {
    const { engine } = app();
    searches = 0;
    const first = await call(engine, 'search', { query: 'q' });
    expect(first.body.data.hits).toEqual(['even/q0', 'odd/q1', 'even/q2']);
    const cursor = first.body.pagination.next_cursor;
    expect((await call(engine, 'search', { cursor })).body.data.hits).toEqual([
      'odd/q3',
      'even/q4',
      'odd/q5',
    ]);
    const narrow = await call(engine, 'search', { cursor, path: 'odd' });
    expect(narrow.body.data.hits).toEqual(['odd/q1', 'odd/q3', 'odd/q5']);
    expect(
      (await call(engine, 'search', { cursor: narrow.body.pagination.next_cursor })).body.data.hits,
    ).toEqual(['odd/q7', 'odd/q9', 'odd/q11']);
    const all = await call(engine, 'search', { cursor, limit: 50 });
    expect(all.body.pagination).toEqual({ total_in_page: 17, total: 20, has_more: false });
    expect(searches).toBe(1);
  });

  test('the time of a later page is its own, not the time since the search', async () => {
    let time = 1_000_000;
    const { engine } = app({ now: () => time });
    const first = await call(engine, 'search', { query: 'q' });
    time += 6_000;
    const { next_cursor: cursor } = first.body.pagination;
    const later = [{ cursor }, { cursor, path: 'odd' }].map((input) => call(engine, 'search', input));
    expect((await Promise.all(later)).map(({ body }) => body.meta.ms)).toEqual([0, 0]);
  });

  test('expire five minutes after the last look', async () => {
    let time = 1_000_000;
    const { engine } = app({ now: () => time });
    const cursor = (await call(engine, 'search', { query: 'q' })).body.pagination.next_cursor;
    time += 299_000;
    expect((await call(engine, 'search', { cursor })).ok).toBe(true);
    time += 299_000;
    expect((await call(engine, 'search', { cursor })).ok).toBe(true);
    time += 301_000;
    const late = await call(engine, 'search', { cursor });
    expect(late.body.error).toMatchObject({
      code: 'invalid_cursor',
      message: 'This cursor is unknown or has expired. Call search again without it.',
      retryable: true,
    });
  });

  test('the hundred and first pushes out the least recently used', async () => {
    const { engine } = app();
    const cursors: string[] = [];
    for (let i = 0; i < 101; i++) {
      cursors.push((await call(engine, 'search', { query: `q${i}` })).body.pagination.next_cursor);
      if (i === 50) await call(engine, 'search', { cursor: cursors[0] });
    }
    expect((await call(engine, 'search', { cursor: cursors[0] })).ok).toBe(true);
    expect((await call(engine, 'search', { cursor: cursors[1] })).code).toBe('invalid_cursor');
  });
});

describe('wrong cursors', () => {
  test('an offset that no page ended at is refused; one of an earlier search is not', async () => {
    const { engine } = app();
    const first = await call(engine, 'search', { query: 'offset' });
    const cursor = first.body.pagination.next_cursor;
    const second = await call(engine, 'search', { cursor });
    expect((await call(engine, 'search', { cursor: cursor.replace(/\d+$/, '5') })).code).toBe(
      'invalid_cursor',
    );
    expect((await call(engine, 'search', { cursor: cursor.replace(/\d+$/, '99999') })).code).toBe(
      'invalid_cursor',
    );
    await call(engine, 'search', { query: 'offset' });
    const later = await call(engine, 'search', { cursor: second.body.pagination.next_cursor });
    expect(later.body.data.hits[0]).toBe('even/offset6');
  });

  test.each([
    ['unknown', 'list', { cursor: 'cnothere' }, 'invalid_cursor', /unknown or has expired/],
    ['too long', 'list', { cursor: 'c'.repeat(100) }, 'invalid_cursor', /expired/],
    ['of nonsense', 'search', { cursor: 'r1.-5' }, 'invalid_cursor', /expired/],
    ['not a string', 'list', { cursor: 7 }, 'invalid_parameter', /cursor must be a string/],
  ])('%s', async (_name, operationName, input, code, message) => {
    const { engine } = app();
    const { body } = await call(engine, operationName, input);
    expect(body.error.code).toBe(code);
    expect(body.error.message).toMatch(message);
  });

  test('of another operation, or with other arguments', async () => {
    const { engine } = app();
    table.clear();
    for (let i = 0; i < 25; i++) table.set(i, `row ${i}`);
    const cursor = (await call(engine, 'list', {})).body.pagination.next_cursor;
    expect((await call(engine, 'slow', { cursor })).body.error.message).toBe(
      'This cursor belongs to list. Call slow without it.',
    );
    expect((await call(engine, 'list', { cursor, only: 'x' })).body.error.message).toBe(
      "This cursor belongs to a call with another 'only'. Send only the cursor, or call list again without it.",
    );
    expect((await call(engine, 'list', { cursor, limit: 2 })).body.data.rows).toHaveLength(2);
  });
});

describe('time', () => {
  test('what was found in time is returned and marked', async () => {
    const { engine } = app({ timeoutMs: 50 });
    const { body } = await call(engine, 'slow', { first: 3 });
    expect(body.data.rows).toEqual([0, 1, 2]);
    expect(body.meta.truncated).toBe(true);
    expect(body.meta.searched).toBe('7 files');
    expect(body.pagination.has_more).toBe(true);
    const asText = await engine.run('slow', { first: 2 }, { caller: { ...who, format: 'text' } });
    expect(asText.rendered.text.split('\n').slice(0, 3)).toEqual([
      'Stopped at the time limit; searched until then: 7 files.',
      '0',
      '1',
    ]);
  });

  test('nothing in time is search_timeout, which says what was looked at', async () => {
    const { engine } = app({ timeoutMs: 50 });
    const { code, body } = await call(engine, 'slow', {});
    expect(code).toBe('search_timeout');
    expect(body.error.message).toBe(
      'Stopped after 0.05 s. Searched until then: 7 files, without a match; the rest was not searched. Narrow the call.',
    );
  });

  test('one thing that is cut short by the time limit is returned', async () => {
    const { engine } = app({ timeoutMs: 50 });
    const { body } = await call(engine, 'tally', {});
    expect(body).toMatchObject({ data: { count: 3 }, meta: { truncated: true } });
  });

  test('a cancelled call ends at once', async () => {
    const { engine, audit } = app();
    const controller = new AbortController();
    const running = engine.run('slow', {}, { caller: who, signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(audit.map(({ outcome }) => outcome)).toEqual(['cancelled']);
  });
});

describe('errors', () => {
  test('known ones pass, unknown ones stay in the log under an id', async () => {
    const { engine, log } = app();
    expect((await call(engine, 'broken', { how: 'known' })).body).toEqual({
      error: {
        code: 'not_found',
        message: 'No such thing; list shows them.',
        details: { id: 7 },
        retryable: false,
      },
    });
    const { body, text } = await call(engine, 'broken', { how: 'oops' });
    expect(body.error.code).toBe('internal_error');
    expect(text).not.toContain('/root/private');
    const id = /under ([0-9a-f]{8})/.exec(body.error.message)?.[1];
    expect(log.join('\n')).toContain(`internal error ${id}: Error: secret path /root/private/oops`);
  });

  test('are within the budget too', async () => {
    const { engine } = app();
    const answer = await call(
      engine,
      'list',
      { ['x'.repeat(50_000)]: 1, only: 'y'.repeat(50_000) },
      { budget: 2_000 },
    );
    expect(answer.code).toBe('invalid_parameter');
    expect(answer.bytes).toBeLessThanOrEqual(2_000);
  });

  test('an agent that wants too many rows gets as many as there can be', async () => {
    const { engine } = app();
    expect((await call(engine, 'search', { query: 'x', limit: 1_000 })).body.data.hits).toHaveLength(20);
    expect((await call(engine, 'search', { query: 'x', limit: 1_000 }, { door: 'rest' })).code).toBe(
      'invalid_parameter',
    );
    expect((await call(engine, 'search', { query: 'x', limit: 0 })).code).toBe('invalid_parameter');
  });

  test('an operation that does not exist', async () => {
    const { engine } = app();
    expect((await call(engine, 'nothing', {})).body.error.message).toBe("There is no operation 'nothing'.");
  });

  test('too many calls say when to come back', async () => {
    let time = 0;
    const { engine } = app({ now: () => time });
    for (let i = 0; i < 3; i++) await call(engine, 'broken', { how: 'known' });
    expect((await call(engine, 'broken', { how: 'known' })).body.error).toEqual({
      code: 'rate_limited',
      message: 'broken allows 3 calls per minute; try again in 20 s.',
      details: { retry_after_seconds: 20 },
      retryable: true,
    });
    expect((await call(engine, 'broken', { how: 'known' }, { id: 'other' })).code).toBe('not_found');
    time += 20_000;
    expect((await call(engine, 'broken', { how: 'known' })).code).toBe('not_found');
  });
});

test('one large thing is cut at characters and says by how much', async () => {
  const { engine } = app();
  for (const budget of [2_000, 8_000, 100_000]) {
    const { body, bytes } = await call(engine, 'big', { size: 200_000 }, { budget });
    expect(bytes).toBeLessThanOrEqual(budget);
    expect(bytes).toBeGreaterThan(budget - 100);
    const [, shown = '', missing] = /^(é*)…\[\+(\d+) bytes\]$/.exec(body.data.text) ?? [];
    expect(shown.length * 2 + Number(missing)).toBe(400_000);
    expect(body.data.list).toHaveLength(50);
  }
});

test('secrets do not leave, wherever they are', async () => {
  const secret = ['ghp', `_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`].join('');
  table.clear();
  table.set(1, `token ${secret} end`);
  const { engine } = app();
  const { text } = await call(engine, 'list', {});
  expect(text).not.toContain(secret);
  expect(text).toContain('[redacted:');
});

test('what an agent asked is shown without secrets, what a person asked is not shown', async () => {
  const { engine, asked } = app();
  await call(engine, 'big', { size: 10, note: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a' });
  expect(asked).toEqual([
    {
      asked: expect.stringMatching(/^\{"size":10,"note":"token \[redacted:/),
      rows: undefined,
      answered: expect.stringMatching(/./),
    },
  ]);
  await engine.run('big', { size: 10 }, { caller: { ...who, door: 'page' } });
  expect(asked[1]).toBeUndefined();
});

test('the audit has one entry a call, without arguments', async () => {
  const { engine, audit } = app();
  await call(engine, 'big', { size: 10 });
  await call(engine, 'broken', { how: 'known' });
  expect(audit.map(({ operation: name, outcome, door, client }) => [name, outcome, door, client])).toEqual([
    ['big', 'ok', 'mcp', 'test'],
    ['broken', 'not_found', 'mcp', 'test'],
  ]);
  expect(JSON.stringify(audit)).not.toContain('known"');
  expect(audit[0]?.bytes_in).toBe(11);
});
