import { uint8At } from '../../contract/at.ts';
/**
 * How text becomes keys. A key is a trigram of folded symbols (18 bits), one bit that says whether any of its
 * three bytes is an upper case letter, and three bits of the byte that follows: sixteen keys per trigram. The bits
 * make long texts rare in the index without the cost of longer n-grams.
 */

export const TRIGRAMS = 1 << 18;
/** Keys per trigram: the upper case bit, then the following symbol. */
export const SUBKEYS = 16;
export const KEYS = TRIGRAMS * SUBKEYS;

const NEWLINE = 10;

/** Characters that are rare in code share a symbol. There are 26 letters, 10 digits, 26 signs and 2 for other bytes. */
const SIGNS = [
  ' ',
  '\t\r\n',
  '_',
  '(',
  ')',
  '{[',
  '}]',
  ';',
  ',',
  '.',
  ':',
  '=',
  '*',
  '&',
  '+',
  '-',
  '>',
  '<',
  '/',
  '"\'',
  '#',
  '!?',
  '$@',
  '|\\',
  '^%',
  '~`',
];

/** Symbol (6 bits) of each byte. */
export const SYMBOL = makeSymbols();
/** 1 for A to Z. */
export const UPPER = Uint8Array.from({ length: 256 }, (_none, byte) => (byte >= 65 && byte <= 90 ? 1 : 0));
/** Three bits per byte, spread so that frequent neighbours differ. */
export const FOLLOWER = Uint8Array.from(SYMBOL, (symbol) => (Math.imul(symbol, 0x9e3779b1) >>> 27) & 7);
/** The follower of the last trigram of a line. */
export const END_OF_LINE = uint8At(FOLLOWER, NEWLINE);

function makeSymbols(): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_none, byte) => 62 + (byte & 1));
  for (let letter = 0; letter < 26; letter++) table[65 + letter] = table[97 + letter] = letter;
  for (let digit = 0; digit < 10; digit++) table[48 + digit] = 26 + digit;
  for (const [index, characters] of SIGNS.entries()) {
    for (const character of characters) table[character.charCodeAt(0)] = 36 + index;
  }
  return table;
}

/** One trigram of a text to find, and which of its sixteen keys are possible. */
export interface Wanted {
  readonly trigram: number;
  /** Bit n is set if key n is possible. */
  readonly subkeys: number;
}

const ALL_FOLLOWERS = 0xff;

/** The keys that a text has in the index wherever it occurs; none for texts of fewer than three bytes. */
export function wantedKeys(text: Uint8Array, folded: boolean): Wanted[] {
  const wanted: Wanted[] = [];
  for (let at = 0; at + 3 <= text.length; at++) {
    const [a = 0, b = 0, c = 0, next] = text.subarray(at, at + 4);
    const trigram = (uint8At(SYMBOL, a) << 12) | (uint8At(SYMBOL, b) << 6) | uint8At(SYMBOL, c);
    const followers = next === undefined ? ALL_FOLLOWERS : 1 << uint8At(FOLLOWER, next);
    const upper = uint8At(UPPER, a) | uint8At(UPPER, b) | uint8At(UPPER, c);
    const subkeys = folded ? followers | (followers << 8) : upper === 1 ? followers << 8 : followers;
    wanted.push({ trigram, subkeys });
  }
  return wanted;
}
