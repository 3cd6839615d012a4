import { expect, test } from 'vitest';
import { createSymbolReader } from './symbol-reader.ts';

const read = await createSymbolReader(['typescript', 'python', 'go', 'rust', 'c']);

test('finds definitions with their lines, parents and marks', () => {
  const text =
    'export class Pool {\n  #size = 1;\n  acquire(): Conn {\n    return this.open();\n  }\n}\nfunction helper() {}\n';
  const found = read(text, 'src/pool.ts', 'typescript');
  expect(
    found?.definitions.map(({ name, kind, from, to, parent, isExported }) => [
      name,
      kind,
      from,
      to,
      parent,
      isExported,
    ]),
  ).toEqual([
    ['Pool', 'class', 1, 6, undefined, true],
    ['#size', 'field', 2, 2, 0, false],
    ['acquire', 'method', 3, 5, 0, true],
    ['helper', 'function', 7, 7, undefined, false],
  ]);
});

test('leaves local variables out of definitions and references', () => {
  const text = 'import os\ndef load(path, n=1):\n    size = os.stat(path)\n    return parse(size, n)\n';
  const found = read(text, 'load.py', 'python');
  expect(found?.definitions.map(({ name }) => name)).toEqual(['load']);
  expect(found?.references.map(({ name, kind, receiver }) => [name, kind, receiver])).toEqual([
    ['os', 'import', undefined],
    ['os', 'other', undefined],
    ['stat', 'call', 'os'],
    ['parse', 'call', undefined],
  ]);
});

test('has nothing for a language without a grammar', () => {
  expect(read('a', 'a.txt', 'plain')).toBeUndefined();
});
