import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutFields } from './lean-json.ts';

const NAMES = new Set(['content', 'data']);
const lean = (text: string) => withoutFields(Buffer.from(text), NAMES);

function blanked(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, NAMES.has(name) ? null : blanked(inner, levels - 1)]),
  );
}

test('fields of the object and of objects in it are left out, deeper ones stay', () => {
  const text = '{"a":1,"content":[{"x":"\\"}"}],"message":{"content":"long","usage":{"content":2}}}';
  expect(JSON.parse(lean(text) ?? '')).toEqual({
    a: 1,
    content: null,
    message: { content: null, usage: { content: 2 } },
  });
});

test('any object parses to the same without those fields', () => {
  const key = fc.oneof(fc.constantFrom('content', 'data', 'usage', 'message'), fc.string());
  const { object } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '"', '\\"', 'x'.repeat(200), `${'y'.repeat(60)}\\"`, '}{][,'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(true, null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), (given, indent) => {
      const text = JSON.stringify(given, null, indent);
      expect(JSON.parse(lean(text) ?? '')).toEqual(JSON.parse(JSON.stringify(blanked(given, 2))));
    }),
  );
});

test.each(['', '{', '{"a":"', '{"content":[1', 'null', '{"a":{"b":1}'])(
  '%s is not a complete object',
  (text) => {
    expect(lean(text)).toBeUndefined();
  },
);
