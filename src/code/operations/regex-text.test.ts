import { expect, test } from 'vitest';
import { painter } from '../../contract/painted-text.ts';
import type { RegexMatches, ShownHit } from './regex-matches.ts';
import { regexText as textIn } from './regex-text.ts';

const regexText = (found: RegexMatches) => textIn(found, { paint: painter(undefined) });
const shown = (hits: ShownHit[]) => regexText({ matches: [{ path: 'lib/multi.c', hits }] }).split('\n');

test('hits are below the definition around them, file-level lines below the file', () => {
  expect(
    shown([
      { line: 3, text: '#include "retry.h"' },
      { line: 20, in: 'state_performing', text: 'result = retry(data);' },
      { line: 40, in: 'state_performing', text: 'ret = retry(data);' },
      { line: 90, in: 'state_do', text: 'drc = retry(data);' },
      { line: 99, text: 'int retries;' },
    ]),
  ).toEqual([
    'lib/multi.c',
    '  3  #include "retry.h"',
    '  state_performing',
    '    20  result = retry(data);',
    '    40  ret = retry(data);',
    '  state_do',
    '    90  drc = retry(data);',
    '  99  int retries;',
  ]);
});

test('a line that begins a definition has its name above it only together with other lines of it', () => {
  expect(
    shown([
      { line: 1, in: 'retry', kind: 'definition', text: 'int retry(void)' },
      { line: 9, in: 'Pool.retry', kind: 'definition', text: 'retry() {' },
      { line: 20, in: 'retry_all', kind: 'definition', text: 'int retry_all(void)' },
      { line: 22, in: 'retry_all.RETRIES', kind: 'definition', text: '#define RETRIES retry()' },
      { line: 30, in: 'Engine.retry', kind: 'definition', text: 'func (e *Engine) retry() {' },
    ]),
  ).toEqual([
    'lib/multi.c',
    '  1  int retry(void)',
    '  Pool',
    '    9  retry() {',
    '  retry_all',
    '    20  int retry_all(void)',
    '    22  #define RETRIES retry()',
    '  30  func (e *Engine) retry() {',
  ]);
});

test('lines of context come once, without the indentation that they share', () => {
  expect(
    shown([
      { line: 2, in: 'f', text: '    a();', before: ['  if (x) {'], after: ['    b();', '  }'] },
      { line: 3, in: 'f', text: '    b();', before: ['    a();'], after: ['  }'] },
    ]),
  ).toEqual(['lib/multi.c', '  f', '    1  if (x) {', '    2:   a();', '    3:   b();', '    4  }']);
});

test('a line of dashes is between lines of context that do not follow each other', () => {
  expect(
    shown([
      { line: 2, in: 'f', text: 'a', before: ['x'], after: ['y'] },
      { line: 5, in: 'f', text: 'b', before: ['y'], after: ['z'] },
      { line: 9, in: 'f', text: 'c', before: ['z'], after: [] },
    ]),
  ).toEqual([
    'lib/multi.c',
    ...['  f', '    1  x', '    2: a', '    3  y', '    4  y', '    5: b', '    6  z'],
    ...['    --', '    8  z', '    9: c'],
  ]);
});

test('line numbers alone, counts, files and notes', () => {
  expect(shown([{ line: 7, in: 'f' }])).toEqual(['lib/multi.c', '  f', '    7']);
  expect(regexText({ count: { hits: 1, files: 1 } })).toBe('1 match in 1 file');
  expect(regexText({ note: 'No match in 3 files.', count: { hits: 0, files: 0 } })).toBe(
    'No match in 3 files.',
  );
  expect(regexText({ root: 'curl', files: [{ path: 'a.c', hits: 2 }] })).toBe('in curl:\na.c: 2');
  expect(regexText({ note: 'No match in 3 files.', matches: [] })).toBe('No match in 3 files.');
});

test('a line that repeats in a definition is shown once, with the numbers of all', () => {
  expect(
    shown([
      { line: 2, in: 'f', text: '  retry();' },
      { line: 5, in: 'f', text: 'other(retry);' },
      { line: 9, in: 'f', text: 'retry();' },
      { line: 20, in: 'g', text: 'retry();' },
    ]),
  ).toEqual(['lib/multi.c', '  f', '    2, 9  retry();', '    5  other(retry);', '  g', '    20  retry();']);
});

test('a constructor is below its class', () => {
  const hit = {
    line: 7,
    in: 'io.adapter.adapter(Iterator first)',
    kind: 'definition',
    text: 'adapter(Iterator first)',
  } as const;
  expect(shown([hit])).toEqual(['lib/multi.c', '  io.adapter', '    7  adapter(Iterator first)']);
});
