import { expect, test } from 'vitest';
import { shapeOf } from '../symbols/file-shape.ts';
import type { Definition, FileSymbols } from '../symbols/file-symbols.ts';
import { FileSyntax } from './file-syntax.ts';
import { placeOf } from './semantic-place.ts';

const definition = (
  name: string,
  kind: Definition['kind'],
  from: number,
  to: number,
  more = {},
): Definition => ({
  name,
  kind,
  line: from,
  column: 0,
  from,
  to,
  signature: name,
  isTest: false,
  isExported: false,
  isPrototype: false,
  ...more,
});

/*
 *  1 import { wait } from './wait.ts';
 *  2
 *  3 // Keeps idle sockets.
 *  4 class Pool {
 *  5   idle = wait;
 *  6   acquire() {
 *  7     return wait();
 *  8   }
 *  9 }
 * 10 declare function open(): Pool;
 * 11 const LIMIT = wait(5);
 * 12 test('pool', () => {
 * 13   wait();
 * 14 });
 */
const POOL: FileSymbols = {
  language: 'typescript',
  lines: 14,
  definitions: [
    definition('Pool', 'class', 4, 9),
    definition('idle', 'field', 5, 5, { parent: 0 }),
    definition('acquire', 'method', 6, 8, { parent: 0 }),
    definition('open', 'function', 10, 10, { isPrototype: true }),
    definition('LIMIT', 'constant', 11, 11),
  ],
  references: [],
  imports: [{ name: 'wait', imported: 'wait', module: './wait.ts', line: 1 }],
  comments: [{ from: 3, to: 3 }],
  tests: [{ from: 12, to: 14 }],
};
const syntax = new FileSyntax(shapeOf(POOL));

test.each([
  [1, 'wait', { kind: 'import' }],
  [3, 'wait', { kind: 'comment' }],
  [4, 'Pool', { in: 'Pool', kind: 'definition' }],
  [5, 'wait', { in: 'Pool' }],
  [5, 'idle', { in: 'Pool', kind: 'definition' }],
  [7, 'wait', { in: 'Pool.acquire' }],
  [10, 'open', { kind: 'prototype' }],
  [11, 'wait', {}],
  [11, 'LIMIT', { kind: 'definition' }],
  [13, 'wait', { test: true }],
])('line %d, searched for %s', (line, searched, facts) => {
  expect(syntax.facts(line, (name) => name === searched)).toEqual(facts);
});

test('a comment belongs to the definition below it', () => {
  expect(syntax.owner(3)?.name).toBe('Pool');
  expect(syntax.owner(5)?.name).toBe('Pool');
  expect(syntax.owner(7)?.name).toBe('Pool.acquire');
  expect(syntax.owner(2)).toBeUndefined();
});

test('what fills most of some lines', () => {
  expect(syntax.main({ from: 3, to: 10 })?.name).toBe('Pool');
  expect(syntax.main({ from: 6, to: 8 })?.name).toBe('Pool.acquire');
  expect(syntax.main({ from: 1, to: 2 })).toBeUndefined();
});

const LINES = [
  "import { wait } from './wait.ts';",
  '',
  '// Keeps idle sockets.',
  'class Pool {',
  '  idle = wait;',
  '  acquire() {',
  '    return wait();',
  '  }',
  '}',
];
const place = (chunk: { from: number; to: number }, terms: string[], identifiers: string[] = []) =>
  placeOf(chunk, (line) => LINES[line - 1] ?? '', syntax, {
    terms: new Set(terms),
    identifiers: new Set(identifiers),
  });

test('a hit is the definition with most of what was asked for', () => {
  expect(place({ from: 1, to: 9 }, ['return', 'wait'])).toEqual({
    symbol: 'Pool.acquire',
    range: { from: 6, to: 8 },
    best: 7,
  });
  expect(place({ from: 1, to: 9 }, ['socket'])).toEqual({
    symbol: 'Pool',
    range: { from: 4, to: 9 },
    best: 3,
  });
});

test('a definition with the very name goes before the words around it', () => {
  expect(place({ from: 1, to: 9 }, ['wait', 'return'], ['acquire']).symbol).toBe('Pool.acquire');
});

test('of a class that is larger than what was found only that part is shown', () => {
  expect(place({ from: 4, to: 5 }, ['idle'])).toEqual({
    symbol: 'Pool',
    range: { from: 4, to: 5 },
    best: 5,
  });
});

test('all of a function is shown, even if a part of it was found', () => {
  expect(place({ from: 7, to: 7 }, []).range).toEqual({ from: 6, to: 8 });
});

test('outside all definitions a hit keeps its lines and has no name', () => {
  expect(place({ from: 1, to: 2 }, ['wait'])).toEqual({
    symbol: undefined,
    range: { from: 1, to: 2 },
    best: 1,
  });
});
