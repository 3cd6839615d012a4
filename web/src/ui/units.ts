import { signal } from '@preact/signals';

export const UNITS = [
  ['si', 'MB (1,000)'],
  ['iec', 'MiB (1,024)'],
] as const;
export type Units = (typeof UNITS)[number][0];

const KEY = 'pinhole.units';

/** How sizes are written in this browser. */
export const units = signal<Units>(stored());

export function chooseUnits(next: Units): void {
  units.value = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // No access to storage: the choice lasts until the page is closed.
  }
}

function stored(): Units {
  try {
    return localStorage.getItem(KEY) === 'iec' ? 'iec' : 'si';
  } catch {
    return 'si';
  }
}
