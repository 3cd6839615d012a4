import { expect, test } from 'vitest';
import { readQuery } from './read-query.ts';
import { condensed, tellingLines } from './telling-lines.ts';

const info = (at: number): string =>
  `2024-05-01 12:00:${String(at % 60).padStart(2, '0')}.${at} INFO worker-${at % 7} request ${at} served in ${at} ms for session 9f8e${at}a1`;
const FAILED =
  'ERROR upstream timed out (110: Connection timed out) while reading response header from upstream';
const LOG = [...Array.from({ length: 1_800 }, (_none, at) => info(at)), FAILED, info(4), info(5)].join('\n');

test('lines of a log that differ only in numbers, times and ids count once', () => {
  expect(tellingLines(LOG)).toHaveLength(2);
  expect(tellingLines(LOG).at(-1)).toBe(FAILED);
});

test('what failed weighs more than what a log says anyway, and is its title', () => {
  const { terms, report } = readQuery(LOG);
  const weight = (term: string): number => terms.find((one) => one.term === term)?.weight ?? 0;
  expect(report?.title).toBe(FAILED);
  expect(weight('upstream')).toBeGreaterThan(10 * weight('serv'));
});

test('of a text of any length, the errors with their traces and both ends are read', () => {
  const word = (at: number): string =>
    String.fromCharCode(97 + (at % 26), 97 + ((at / 26) % 26), 97 + ((at / 676) % 26));
  const lines = Array.from(
    { length: 9_000 },
    (_none, at) =>
      `INFO the job ${word(at)} waits for ${word(at * 7)} and its neighbours in the queue of jobs`,
  );
  lines.splice(5_000, 0, 'ERROR job failed: NullPointerException', '\tat a.Pool.take(Pool.java:17)');
  const text = lines.join('\n');
  expect(text.length).toBeGreaterThan(600_000);
  const short = condensed(text);
  expect(short.length).toBeLessThan(42_000);
  expect(short).toContain('NullPointerException\n\tat a.Pool.take(Pool.java:17)');
  expect([short.startsWith(lines[0] ?? ''), short.endsWith(lines.at(-1) ?? '')]).toEqual([true, true]);
  expect(readQuery(text).report?.frames).toMatchObject([{ name: 'take', line: 17 }]);
});

test('a text of 900 kB is read in a few milliseconds', () => {
  const long = LOG.repeat(6).slice(0, 900_000);
  const took = Array.from({ length: 4 }, () => {
    const began = process.cpuUsage();
    readQuery(condensed(long));
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  expect(Math.min(...took)).toBeLessThan(60);
});

test('a short text is read as it is', () => {
  expect(tellingLines('a 1\n\na 2\n')).toEqual(['a 1', 'a 2']);
  expect(condensed('same\n\ntext')).toBe('same\n\ntext');
});
