import { signal } from '@preact/signals';
import { dateIsIn, zoneNamed } from '../../../src/contract/zone.ts';

const KEY = 'pinhole.zone';

/** The zone chosen in the settings; undefined for the browser's. */
const chosen = signal<string | undefined>(stored());

/** This browser's time zone, as an IANA name. */
export const BROWSER_ZONE = browserZone(globalThis as typeof globalThis & WithTemporal);
dateIsIn(BROWSER_ZONE);

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

/** What newer browsers have, and TypeScript's library does not know yet. */
interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } };
}

/**
 * Every request names the zone, so the first one waits for it: the first formatter of a page takes a browser 7 ms,
 * `Temporal` 0.1 ms.
 */
export function browserZone({ Temporal }: WithTemporal): string {
  return Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
