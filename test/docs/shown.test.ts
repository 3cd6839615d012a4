import { expect, test } from 'vitest';
import { commandBlocks } from './blocks.ts';
import { shows } from './shown.ts';

test.each([
  ['the same text', 'a (1)\nb', 'a (1)\nb\n', true],
  ['another text', 'a\nb', 'a\nc\n', false],
  ['a line too few', 'a', 'a\nb\n', false],
  ['a line too many', 'a\nb', 'a\n', false],
  ['a part of a line', 'scanned … ago', 'scanned 12s ago\n', true],
  ['a part of another line', 'scanned … ago', 'scanned 12s\nago\n', false],
  ['any lines at the end', 'a\n…', 'a\nb\nc\n', true],
  ['no lines at the end', 'a\n…', 'a\n', true],
  ['any lines in the middle', 'a\n…\nc', 'a\nb\nb\nc\n', true],
  ['any lines, then a wrong one', 'a\n…\nc', 'a\nb\n', false],
  ['signs that mean something in an expression', 'a.c', 'abc\n', false],
])('%s', (_, block, printed, expected) => {
  expect(shows(block, printed)).toBe(expected);
});

test('a text block belongs to the sh block before it', () => {
  const page = '```sh\na\n```\n\nwords\n\n```text\nout\n```\n\n```sh no-run\nb\n```\n\n```sh\nc\n```\n';
  expect(commandBlocks(page)).toEqual([
    { line: 1, script: 'a\n', shown: { line: 7, text: 'out\n' } },
    { line: 15, script: 'c\n' },
  ]);
});

test.each(['```text\nout\n```\n', '```sh no-run\na\n```\n```text\nout\n```\n'])(
  'a text block without commands that ran is a mistake: %j',
  (page) => {
    expect(() => commandBlocks(page)).toThrow('must follow the sh block');
  },
);
