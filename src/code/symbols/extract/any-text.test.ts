import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileSymbols } from '../file-symbols.ts';
import { symbolLanguages } from './languages/index.ts';
import { createSymbolReader } from './symbol-reader.ts';

const read = await createSymbolReader(symbolLanguages);
const source = readFileSync(new URL('./languages/languages.test.ts', import.meta.url), 'utf8');
const WORDS = [...new Set(source.match(/\w+|[^\w\s]+|\n\s*/g) ?? [])];

function check(text: string, found: FileSymbols | undefined): void {
  if (found === undefined) throw new Error('nothing was read');
  const lines = text.split('\n');
  const count = text === '' ? 0 : text.endsWith('\n') ? lines.length - 1 : lines.length;
  expect(found.lines).toBe(count);
  for (const [index, one] of found.definitions.entries()) {
    expect(one.parent ?? -1).toBeLessThan(index);
    expect(one.from).toBeGreaterThanOrEqual(1);
    expect(one.line).toBeGreaterThanOrEqual(one.from);
    expect(one.to).toBeGreaterThanOrEqual(one.from);
    expect(one.to).toBeLessThanOrEqual(count);
    expect(lines[one.line - 1]?.slice(one.column)).toSatisfy((rest: string) => rest.startsWith(one.name));
    expect(one.signature.length).toBeLessThanOrEqual(200);
    expect(one.signature).not.toMatch(/\n/);
  }
  for (const { name, line, column, inside } of found.references) {
    expect(lines[line - 1]?.slice(column).replace(/^\$/, '')).toSatisfy((rest: string) =>
      rest.startsWith(name.replace(/^\$/, '')),
    );
    expect(inside ?? -1).toBeLessThan(found.definitions.length);
  }
  for (const { from, to } of [...found.comments, ...found.tests]) {
    expect(from).toBeGreaterThanOrEqual(1);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(count);
  }
}

test.each(symbolLanguages)('any text of %s is read with places inside the file', (language) => {
  const words = fc
    .array(fc.constantFrom(...WORDS, ' ', ' ', '\n'), { maxLength: 60 })
    .map((list) => list.join(' '));
  const mangled = fc
    .tuple(fc.nat(source.length), fc.nat(400), fc.nat(source.length), fc.nat(400))
    .map(([a, b, c, d]) => source.slice(a, a + b) + source.slice(c, c + d));
  fc.assert(
    fc.property(fc.oneof(words, mangled, fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
      check(text, read(text, 'src/file', language));
    }),
    { numRuns: 60 },
  );
});

test('reads deep nesting', () => {
  const text = `x = ${'(\n'.repeat(5000)}1${')'.repeat(5000)}`;
  check(text, read(text, 'src/deep.py', 'python'));
});

test('leaves out what is too large or minified', () => {
  expect(read('a;'.repeat(600_000), 'src/a.ts', 'typescript')).toBeUndefined();
  expect(read(`${'var a=1;'.repeat(2000)}\n`, 'src/a.min.js', 'javascript')).toBeUndefined();
});
