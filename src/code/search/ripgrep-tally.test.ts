import { expect, it } from 'vitest';
import { HeadingTally } from './ripgrep-tally.ts';

const PATHS = new Set(['a.js', 'b.js', 'image.bin']);
const binary = './image.bin: binary file matches (found "\\0" byte around offset 7)\n';

function tally(...pieces: string[]) {
  const counting = new HeadingTally(PATHS);
  for (const piece of pieces) counting.add(Buffer.from(piece));
  const { counts, doubtful } = counting.end();
  return { counts: Object.fromEntries(counts), doubtful };
}

it('counts the lines below each heading', () => {
  expect(tally('./a.js\0one\ntwo\n\n./b.js\0one\n')).toEqual({
    counts: { 'a.js': 2, 'b.js': 1 },
    doubtful: [],
  });
  expect(tally('./a.js\0one\n', 'two\n', '\n', './b.js\0one\n')).toEqual({
    counts: { 'a.js': 2, 'b.js': 1 },
    doubtful: [],
  });
});

it('what is said of a binary file is a line of no file: the one before it is counted again', () => {
  expect(tally(`./a.js\0one\n\n${binary}\n./b.js\0one\n`)).toEqual({
    counts: { 'b.js': 1 },
    doubtful: ['a.js'],
  });
  expect(tally(`${binary}\n./b.js\0one\n`)).toEqual({ counts: { 'b.js': 1 }, doubtful: [] });
  expect(tally(`./image.bin\0one\n${binary}\n./b.js\0one\n`)).toEqual({
    counts: { 'b.js': 1 },
    doubtful: ['image.bin'],
  });
});

it('a heading of a file that was not asked for is none', () => {
  expect(tally('./a.js\0one\n\n./other\0one\n').counts).toEqual({ 'a.js': 3 });
});
