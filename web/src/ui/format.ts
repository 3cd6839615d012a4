/** Numbers, sizes and times on the page read the same as in Pinhole's text answers. */
export {
  agoText,
  countOf,
  countText,
  durationText,
  shortCount,
  sizeText,
} from '../../../src/contract/format.ts';
