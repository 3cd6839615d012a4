import { expect, test } from 'vitest';
import { HeadingTally } from './ripgrep-tally.ts';

const BINARY = 'binary file matches (found "\\0" byte around offset 7)';

function tallied(...pieces: string[]) {
  const tally = new HeadingTally(new Set(['a.js', 'b.js', 'image.bin']));
  for (const piece of pieces) tally.add(Buffer.from(piece));
  const { counts, doubtful } = tally.end();
  return { counts: [...counts], doubtful };
}

test('counts the lines below each heading', () => {
  const expected = {
    counts: [
      ['a.js', 2],
      ['b.js', 1],
    ],
    doubtful: [],
  };
  expect(tallied('./a.js\0one\ntwo\n\n./b.js\0one\n')).toEqual(expected);
  expect(tallied('./a.js\0one\n', 'two\n\n', './b.js\0one\n')).toEqual(expected);
});

test('a word on a binary file, which has no heading, is no line of the file before it', () => {
  const output = `./a.js\0one\n\n./image.bin: ${BINARY}\n\n./b.js\0one\n`;
  expect(tallied(output)).toEqual({ counts: [['b.js', 1]], doubtful: ['a.js'] });
  expect(tallied(`./image.bin: ${BINARY}\n\n./b.js\0one\n`)).toEqual({ counts: [['b.js', 1]], doubtful: [] });
});

test('a file that turns out binary after some lines is doubtful', () => {
  expect(tallied(`./image.bin\0one\n./image.bin: ${BINARY}\n\n./b.js\0one\n`)).toEqual({
    counts: [['b.js', 1]],
    doubtful: ['image.bin'],
  });
});
