import {
  countText,
  durationText as inLargestUnit,
  sizeText as sizeIn,
} from '../../../src/contract/format.ts';
import { units } from './units.ts';

/** Numbers, sizes and times on the page read the same as in Pinhole's text answers. */
export {
  agoText,
  countOf,
  countText,
  shortCount,
} from '../../../src/contract/format.ts';

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
/** From here on, minutes do not matter. */
const WHOLE_HOURS = 2 * DAY_HOURS;

/** `42s`, `59m`, `1h 10m`, `2d 3h`: from an hour on with the next smaller unit. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < HOUR_MINUTES) return inLargestUnit(seconds);
  if (minutes < WHOLE_HOURS * HOUR_MINUTES) return inTwo(minutes, HOUR_MINUTES, 'h', 'm');
  return inTwo(Math.round(minutes / HOUR_MINUTES), DAY_HOURS, 'd', 'h');
}

function inTwo(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  return `${Math.floor(amount / size)}${large}${rest === 0 ? '' : ` ${rest}${small}`}`;
}

/** From here on, tenths of a second do not matter. */
const WHOLE_SECONDS_MS = 10_000;

const SHORTEST_SHOWN_MS = 100;

/** How long a call took: `<0.1s`, `0.4s`, `42s`, `3m`. */
export function callTimeText(ms: number): string {
  if (ms < SHORTEST_SHOWN_MS) return '<0.1s';
  return ms < WHOLE_SECONDS_MS ? `${(ms / 1_000).toFixed(1)}s` : durationText(ms / 1_000);
}

/** A size in the units chosen in the settings. */
export function sizeText(bytes: number): string {
  return sizeIn(bytes, units.value);
}

/** `$1,037.89`; an estimate of less than a cent is not nothing. */
export function moneyText(dollars: number): string {
  if (dollars > 0 && dollars < 0.005) return '<$0.01';
  const [whole, cents] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${countText(Number(whole))}.${cents}`;
}

const SMALLEST_PERCENT = 0.1;
/** Between these, tenths of a percent do not matter. */
const WHOLE_PERCENTS = { from: 9.95, to: 99.5 } as const;

/** A share of 1: `<0.1 %`, `4.8 %`, `29 %`; a small share is not nothing, and 99.7 % is not all. */
export function percentText(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < SMALLEST_PERCENT) return `<${SMALLEST_PERCENT} %`;
  const whole = percent === 100 || (percent >= WHOLE_PERCENTS.from && percent <= WHOLE_PERCENTS.to);
  return `${percent.toFixed(whole ? 0 : 1)} %`;
}
