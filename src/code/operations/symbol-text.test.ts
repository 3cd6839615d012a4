import { expect, test } from 'vitest';
import { coloured, painter } from '../../contract/painted-text.ts';
import { symbolText } from './symbol-text.ts';

test('a name is not called undefined while files are unread', () => {
  expect(symbolText({ unknown: 'Pool' })).toBe('Nothing here defines Pool.');
  expect(symbolText({ unknown: 'Pool', unread: true })).toBe('No file that was read defines Pool.');
  expect(symbolText({ unknown: 'Pool', unparsed: ['dart'] })).toBe(
    'No file that was read defines Pool. Files in dart are not parsed; search their text.',
  );
});

test('a terminal with colours sees names, paths and line numbers apart', () => {
  const place = { name: 'Pool.take', kind: 'method', path: 'src/pool.ts', line_start: 3, line_end: 9 };
  const data = {
    symbol: place,
    body: [
      { line: 3, text: 'take() {' },
      { line: 9, text: '}', gap: true },
    ],
    callers: [{ path: 'src/use.ts', line: 5, in: 'run' }],
    totals: { callers: 1 },
  };
  const plain = [
    'Pool.take  method  src/pool.ts:3-9',
    '3  take() {',
    '… lines 4-8 left out',
    '9  }',
    'callers (1): src/use.ts:5 in run',
  ];
  const terminal = { columns: 80, colours: true, unicode: true };
  const painted = coloured(symbolText(data, { terminal, paint: painter(terminal) }));
  expect(painted.split('\n')).toEqual([
    '\u001b[1mPool.take\u001b[22m  method  \u001b[35msrc/pool.ts\u001b[39m:\u001b[32m3-9\u001b[39m',
    '\u001b[32m3\u001b[39m  take() {',
    '\u001b[2m… lines 4-8 left out\u001b[22m',
    '\u001b[32m9\u001b[39m  }',
    'callers (1): \u001b[35msrc/use.ts\u001b[39m:\u001b[32m5\u001b[39m in run',
  ]);
  expect(symbolText(data, { terminal: { columns: 80, colours: false, unicode: true } }).split('\n')).toEqual(
    plain,
  );
});
