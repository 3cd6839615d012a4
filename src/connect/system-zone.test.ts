import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { ownZone } from '../contract/zone.ts';
import { systemZone } from './system-zone.ts';

test.each([
  ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
  ['../usr/share/zoneinfo/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['/usr/share/zoneinfo/posix/Etc/GMT+1', 'Etc/GMT+1'],
  ['/var/db/timezone/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
])('a link to %s is %s', (target, zone) => {
  vi.stubEnv('TZ', undefined);
  const link = join(temporaryFolder(), 'localtime');
  symlinkSync(target, link);
  expect(systemZone(link)).toBe(zone);
});

test('without such a link, or with TZ, it is the zone of this process', () => {
  vi.stubEnv('TZ', undefined);
  const folder = temporaryFolder();
  const copy = join(folder, 'localtime');
  writeFileSync(copy, 'TZif');
  const elsewhere = join(folder, 'elsewhere');
  symlinkSync('/etc/my-clock', elsewhere);
  for (const link of [copy, elsewhere, join(folder, 'missing')]) expect(systemZone(link)).toBe(ownZone());
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const link = join(folder, 'link');
  symlinkSync('/usr/share/zoneinfo/Europe/Berlin', link);
  expect(systemZone(link)).toBe(ownZone());
});
