import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';

const options = { limit: { type: 'string', short: 'n' }, json: { type: 'boolean' } } as const;

test.each([
  [['--limit', '-5'], 'A value with a dash is written --limit=-VALUE. --help shows what is taken.'],
  [['--limit'], "Option '-n, --limit <value>' argument missing. --help shows what is taken."],
  [['--colour'], "Unknown option '--colour'. --help shows what is taken."],
  [['--json=yes'], "Option '--json' does not take an argument. --help shows what is taken."],
])('%j is told in one line', (args, message) => {
  expect(() => readFlags(args, options)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message }),
  );
});

test('a value with a dash', () => {
  expect(readFlags(['--limit=-5'], options).values.limit).toBe('-5');
});
