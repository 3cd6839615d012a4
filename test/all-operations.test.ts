import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/app/operations.ts';
import { byteLength } from '../src/contract/bytes.ts';
import { ERROR_STATUS } from '../src/contract/errors.ts';
import { inputJsonSchema } from '../src/contract/input.ts';
import { columnsOf, rowsOf } from '../src/contract/operation.ts';
import { formatsOf } from '../src/http/formats.ts';
import { ask, caller, temporaryApp, temporaryFolder } from './support.ts';

const house = await temporaryApp();
const root = await realpath(temporaryFolder());
for (let i = 0; i < 300; i++) {
  mkdirSync(join(root, `folder ${i % 7}`), { recursive: true });
  writeFileSync(join(root, `folder ${i % 7}`, `file "${'n'.repeat(i % 60)}" ${i}.txt`), 'x'.repeat(i * 10));
  writeFileSync(join(root, `${'ü'.repeat(i % 90)}${i}`), `line ${i}\n`.repeat(i));
}
await ask(house, 'cd', { path: root }, { roots: [root] });

type Schema = { type?: string; enum?: readonly string[]; minimum?: number; maximum?: number; items?: Schema };

/** Values a field may be given: mostly legal, sometimes at the edge, sometimes wrong. */
function valueFor(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const known: Record<string, fc.Arbitrary<unknown>> = {
    path: fc.constantFrom(root, join(root, 'folder 1'), '.', '..', '/', 'nothing', `${root}/folder 2/x`),
    shell: fc.constantFrom('w1', 'w2', 'x'),
    job_id: fc.constantFrom('j1', 'j0', ''),
    root: fc.constant(root),
    cursor: fc.constantFrom('start', 'c00000000', 'r1.5', 'x'.repeat(30)),
  };
  if (known[name]) return known[name];
  if (schema.enum) return fc.constantFrom(...schema.enum, 'wrong');
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.oneof(
      fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 100_000) }),
      fc.constantFrom(-1, 0, 1e9),
    );
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.array(valueFor('', schema.items ?? {}), { maxLength: 5 });
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.constantFrom('x'.repeat(5_000), 'file', ''),
  );
}

/** Any input by the operation's own schema. */
function inputFor(operation: (typeof OPERATIONS)[number]): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((inputJsonSchema(operation).properties ?? {}) as Record<string, Schema>);
  return fc.record(Object.fromEntries(properties.map(([name, schema]) => [name, valueFor(name, schema)])), {
    requiredKeys: [],
  });
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(holdsNull);
}

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    test('any input, any budget: valid, within the budget, nothing null, no split character', async () => {
      await fc.assert(
        fc.asyncProperty(
          inputFor(operation),
          fc.constantFrom(2_000, 8_000, 100_000),
          fc.constantFrom('json' as const, 'text' as const),
          async (input, budget, format) => {
            const answer = await house.engine.run(name, input, {
              caller: caller({
                roots: [root],
                cwd: root,
                budget,
                format,
                flat: true,
                id: `p${Math.random()}`,
              }),
            });
            expect(answer.rendered.bytes).toBe(byteLength(answer.rendered.text));
            expect(answer.rendered.bytes).toBeLessThanOrEqual(budget);
            expect(answer.rendered.text).not.toMatch(/(?!\n)(?!\t)\p{Cc}|[\u202a-\u202e]/u);
            expect(answer.rendered.text).not.toContain('\ufffd');
            expect(answer.ok || answer.error.code).not.toBe('internal_error');
            if (!answer.ok) {
              const { error } = JSON.parse(answer.rendered.text);
              expect(Object.keys(ERROR_STATUS)).toContain(error.code);
              expect(error.message.length).toBeGreaterThan(10);
            } else if (format === 'json') {
              const body = JSON.parse(answer.rendered.text);
              expect(body.meta.bytes).toBe(answer.rendered.bytes);
              expect(body.meta.estimated_tokens).toBe(answer.rendered.tokens);
              expect(holdsNull(body)).toBe(false);
              for (const row of rowsOf(operation, body.data) ?? [])
                expect(columnsOf(operation)).toEqual(expect.arrayContaining(Object.keys(row)));
              if (body.pagination?.has_more)
                expect(body.pagination.next_cursor.length).toBeLessThanOrEqual(24);
            }
          },
        ),
        { numRuns: 40 },
      );
      expect(house.logged).toEqual([]);
    });
  },
);

test('names and routes are unique and of one spelling', () => {
  const names = OPERATIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,39}$/);
  const routes = OPERATIONS.flatMap(({ http }) => [http ?? []].flat());
  expect(new Set(routes).size).toBe(routes.length);
  const commands = OPERATIONS.flatMap(({ command }) => (command ? [command.words] : []));
  expect(new Set(commands).size).toBe(commands.length);
});

test('each list of a route says which field has its rows, and their columns', () => {
  for (const operation of OPERATIONS) {
    const { name, limit, http, rows } = operation;
    const columns = columnsOf(operation);
    if (limit !== undefined && http !== undefined) expect([name, rows]).not.toEqual([name, undefined]);
    expect([name, columns.length > 0]).toEqual([name, rows !== undefined]);
    expect(new Set(columns).size).toBe(columns.length);
    expect(formatsOf(operation).includes('csv')).toBe(rows !== undefined);
  }
});
