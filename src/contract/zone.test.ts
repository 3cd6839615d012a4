import { afterEach, expect, test, vi } from 'vitest';

const TZ = process.env.TZ;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

/** Two names of one zone: the offsets of the first are read from `Date`, those of the second from a formatter. */
const SAME = [
  ['America/New_York', 'US/Eastern'],
  ['Asia/Kolkata', 'Asia/Calcutta'],
  ['Australia/Lord_Howe', 'Australia/LHI'],
  ['UTC', 'Etc/UTC'],
] as const;

test.each(SAME)('%s has the same offsets from Date as from a formatter', async (zone, alias) => {
  process.env.TZ = zone;
  vi.resetModules();
  const { dateIsIn, offsetsOf } = await import('./zone.ts');
  dateIsIn(zone);
  const formatter = vi.spyOn(Intl, 'DateTimeFormat');
  const fromDate = offsetsOf(zone);
  expect(formatter).not.toHaveBeenCalled();
  formatter.mockRestore();
  expect(fromDate).toEqual(offsetsOf(alias));
});
