import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from 'vitest';
import { fromLocal, localClock, localDay, localTimeText, ownZone, zoneNamed } from '../contract/zone.ts';
import { localTimeSql } from './local-time-sql.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
])('times in %s are those of a system there, in SQL and in text', (name) => {
  // The answers come from the name alone; the variable makes Date the judge.
  const [sql, text] = [localTimeSql(name), localTimeText(name)];
  process.env.TZ = name;
  const db = new DatabaseSync(':memory:');
  for (let ms = Date.UTC(2016, 0); ms < Date.UTC(2027, 0); ms += 7 * 86_400_000 + 3_333_000) {
    const date = new Date(ms);
    const two = (n: number) => String(n).padStart(2, '0');
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
    const local = `${day} ${clock}:${two(date.getSeconds())}`;
    expect(db.prepare(`SELECT ${sql('?')} AS t`.replaceAll('?', String(ms))).get()).toEqual({ t: local });
    expect(text(ms / 1000)).toBe(local);
    expect([localDay(ms, name), localClock(ms, name)]).toEqual([day, clock]);
    expect(fromLocal(Date.parse(`${local.replace(' ', 'T')}Z`), name)).toBe(new Date(local).getTime());
  }
  db.close();
});

test('the zone of this process, and of a name', () => {
  process.env.TZ = 'Asia/Tokyo';
  expect(ownZone()).toBe('Asia/Tokyo');
  process.env.TZ = 'nonsense';
  expect(ownZone()).toBe('UTC');
  expect(zoneNamed('europe/berlin')).toBe('Europe/Berlin');
  expect(zoneNamed('Europe/Atlantis')).toBeUndefined();
});

test('a time that no calendar has', () => {
  expect(localDay(1e17, 'UTC')).toBe('unknown');
});
