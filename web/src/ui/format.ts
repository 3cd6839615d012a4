import { sizeText as sizeIn } from '../../../src/contract/format.ts';
import { units } from './units.ts';

/** Numbers, sizes and times on the page read the same as in Pinhole's text answers. */
export {
  agoText,
  countOf,
  countText,
  durationText,
  shortCount,
} from '../../../src/contract/format.ts';

/** A size in the units chosen in the settings. */
export function sizeText(bytes: number): string {
  return sizeIn(bytes, units.value);
}

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `$1,037.89`; an estimate of less than a cent is not nothing. */
export function moneyText(dollars: number): string {
  return dollars > 0 && dollars < 0.005 ? '<$0.01' : DOLLARS.format(dollars);
}
