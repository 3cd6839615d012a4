import { readlinkSync } from 'node:fs';
import { ownZone } from '../contract/zone.ts';

const CLOCK_LINK = '/etc/localtime';
const ZONE_IN_LINK = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?([A-Z][\w+-]*(?:\/[\w+-]+)*)$/;

/**
 * The time zone of this process, as the system names it. A formatter would name it too, but loads its tables first,
 * which is a tenth of the time that a command takes.
 */
export function systemZone(link = CLOCK_LINK): string {
  if (process.env.TZ !== undefined || process.platform === 'win32') return ownZone();
  try {
    return ZONE_IN_LINK.exec(readlinkSync(link))?.[1] ?? ownZone();
  } catch {
    // A copy instead of a link.
    return ownZone();
  }
}
