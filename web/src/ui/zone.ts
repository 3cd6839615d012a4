import { signal } from '@preact/signals';
import { zoneNamed } from '../../../src/contract/zone.ts';

const KEY = 'pinhole.zone';

/** The zone chosen in the settings; undefined for the browser's. */
const chosen = signal<string | undefined>(stored());

/** This browser's time zone, as an IANA name. */
export const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of all times and days on the page. */
export function zone(): string {
  return chosen.value ?? BROWSER_ZONE;
}

/** Shows all times in this zone from now on; undefined goes back to the browser's. */
export function chooseZone(name: string | undefined): void {
  chosen.value = name === BROWSER_ZONE ? undefined : name;
  try {
    if (chosen.value === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen.value);
  } catch {
    // No access to storage: the choice lasts until the page is closed.
  }
}

function stored(): string | undefined {
  try {
    return zoneNamed(localStorage.getItem(KEY) ?? '');
  } catch {
    return undefined;
  }
}
