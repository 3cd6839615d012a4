import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';

const options = { limit: { type: 'string', short: 'n' }, json: { type: 'boolean' } } as const;

test.each([
  [['--limit', '-5'], 'Write a value that starts with a dash as --limit=-VALUE. See --help.'],
  [['--limit'], "Option '-n, --limit <value>' argument missing. See --help."],
  [['--colour'], "Unknown option '--colour'. See --help."],
  [
    ['--- FAIL|ok'],
    "Unknown option '--- FAIL|ok'. Write -- in front of a text that starts with dashes. See --help.",
  ],
  [['--json=yes'], "Option '--json' does not take an argument. See --help."],
])('%j is refused in one line', (args, message) => {
  expect(() => readFlags(args, options)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message }),
  );
});

test('a value with a dash', () => {
  expect(readFlags(['--limit=-5'], options).values.limit).toBe('-5');
});
