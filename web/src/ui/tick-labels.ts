import { localMoment } from '../../../src/contract/zone.ts';
import { zone } from './zone.ts';

/** In seconds, as all times here. */
export const DAY = 86_400;
/** Shorter spans need seconds, so that no two labels are the same. */
const MINUTES_SHOWN = 600;

/** Like ISO, in the page's time zone. */
export function localTime(seconds: number): string {
  return localMoment(new Date(seconds * 1000).toISOString(), zone());
}

/**
 * Labels for ticks of a time axis: dates for long spans, times of day for short ones. Of ticks with the same label, such
 * as four in a day, only the first is named.
 */
export function tickLabels(ticks: readonly number[], times: readonly number[]): string[] {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const [from, to] = span > 2 * DAY ? [5, 10] : span > MINUTES_SHOWN ? [11, 16] : [11, 19];
  const labels = ticks.map((tick) => localTime(tick).slice(from, to));
  return labels.map((label, at) => (label === labels[at - 1] ? '' : label));
}
