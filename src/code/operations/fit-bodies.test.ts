import { expect, test } from 'vitest';
import { fitBodies } from './fit-bodies.ts';
import { bodyRows, leftOut } from './symbol-lines.ts';
import type { SymbolLine } from './symbol-rows-shown.ts';

function rowsOf(kind: string, lines: readonly string[], path = 'a.ts'): SymbolLine[] {
  const place = { name: 'a', kind, path, line_start: 1, line_end: lines.length };
  const comments = lines.flatMap((line, at) =>
    line.trim().startsWith('//') ? [{ from: at + 1, to: at + 1 }] : [],
  );
  return [{ part: 'symbol', at: 0, place, counts: {} }, ...bodyRows(lines, 1, comments)];
}
const shown = (rows: readonly SymbolLine[] | undefined) =>
  (rows ?? []).flatMap((row) => (row.part === 'body' ? [`${row.at} ${row.text}`] : []));

const BODY = ['\tif (a) {', '', '\t\t// why', '\t\t\tgo(', '\t\t\t    b,', '\t\t\t);', '\t}'];

test('lines lose what says nothing: indentation, empty lines, lone brackets; comments only without room', () => {
  const { lists, short } = fitBodies([rowsOf('function', BODY)], { budget: 8_000, short: true });
  expect(shown(lists[0])).toEqual(['1 if (a) {', '3  // why', '4   go(', '5    b,', '7 }']);
  expect(short).toBe('lines');
  const tight = fitBodies([rowsOf('function', BODY)], { budget: 150, short: true });
  expect(shown(tight.lists[0])).toEqual(['1 if (a) {', '4  go(', '5   b,', '7 }']);
  expect(tight.short).toBe('comments');
});

test('text that may not be shortened is exact', () => {
  const rows = rowsOf('function', BODY);
  expect(fitBodies([rows], { budget: 8_000, short: false })).toEqual({ lists: [rows] });
});

test('lines that were asked for stay whole, and bodies give way', () => {
  const long = Array.from({ length: 100 }, (_, at) => `call(${at});`);
  const { lists } = fitBodies(
    [rowsOf('function', long), rowsOf('lines', long), rowsOf('function', ['one'], 'b.ts')],
    { budget: 2_500, short: true },
  );
  expect(shown(lists[1])).toHaveLength(100);
  expect(shown(lists[2])).toEqual(['1 one']);
  const kept = shown(lists[0]).length;
  expect(kept).toBeGreaterThanOrEqual(6);
  const [, from, to] = /^a\.ts:(\d+)-(\d+)$/.exec(leftOut(lists)) ?? [];
  expect(Number(to) - Number(from) + 1).toBe(100 - kept);
});

test('what is left out is named once per file', () => {
  const long = Array.from({ length: 300 }, (_, at) => `call(${at});`);
  const bodies = [rowsOf('function', long), rowsOf('function', long), rowsOf('function', long, 'b.ts')];
  const { lists } = fitBodies(bodies, { budget: 3_000, short: true });
  expect(leftOut(lists)).toMatch(/^a\.ts:\d+-\d+, \d+-\d+, b\.ts:\d+-\d+$/);
});
