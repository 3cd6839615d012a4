import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { localTimeSql, localTimeText } from './local-time.ts';
import { queryFunctions } from './query-functions.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
  '%s',
  (name) => {
    test('local times are those of the system, in SQL and in text', () => {
      process.env.TZ = name;
      // A year of its own, because offsets are kept for the year of `now`.
      const now = Date.UTC(2026 + name.length, 5);
      const db = new DatabaseSync(':memory:');
      const sql = localTimeSql(now);
      const text = localTimeText(now);
      for (let ms = Date.UTC(2016, 0); ms < now; ms += 7 * 86_400_000 + 3_333_000) {
        const date = new Date(ms);
        const two = (n: number) => String(n).padStart(2, '0');
        const local = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
        expect(db.prepare(`SELECT ${sql('?')} AS t`.replaceAll('?', String(ms))).get()).toEqual({ t: local });
        expect(text(ms / 1000)).toBe(local);
      }
      db.close();
    });
  },
);

const functions = queryFunctions(() => Date.UTC(2026, 10, 15, 12));

test('ago is a local time before now', () => {
  expect(functions.ago?.('1d')).toBe(localTimeText(Date.now())(Date.UTC(2026, 10, 14, 12) / 1000));
  expect(() => functions.ago?.('soon')).toThrow(/ago must be a time/);
});

test.each([
  ['^fo', 'Foo', 1],
  ['^Fo', 'foo', 0],
  ['b$', 'a\nb\nc', 1],
  ['b$', 'a\nbc', 0],
  ['', '', 1],
])('%s matches %s: %s', (pattern, text, expected) => {
  expect(functions.regexp?.(pattern, text)).toBe(expected);
});

test('a pattern that would hang others ends at once', () => {
  expect(functions.regexp?.('(a+)+$', `${'a'.repeat(5_000)}b`)).toBe(0);
});

test('snip, around, dirname and size', () => {
  expect(functions.snip?.('one\n two  three', 7)).toBe('one two…');
  expect(functions.snip?.('short', 7)).toBe('short');
  expect(functions.around?.('the quick brown fox jumps', 'BROWN', 11)).toBe('…ck brown fo…');
  expect(functions.around?.('nothing', 'x', 10)).toBeNull();
  expect(functions.dirname?.('/a/b/c.txt')).toBe('/a/b');
  expect(functions.dirname?.('/a/b/c.txt', 1)).toBe('/a');
  expect(functions.dirname?.('/a/b/c.txt', 9)).toBe('/a/b');
  expect(functions.dirname?.('/a/b/c.txt', -2)).toBe('/a');
  expect(functions.dirname?.('/a')).toBe('/');
  expect(functions.size?.(1536)).toBe('1.5 kB');
});
