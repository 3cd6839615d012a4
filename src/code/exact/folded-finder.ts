import { uint8At } from '../../contract/at.ts';
/** Finds a text at or after a position; -1 if there is none. */
export type Finder = (bytes: Buffer, from: number, to: number) => number;

const LOWER = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/**
 * Finds a text regardless of the case of ASCII letters, in the original bytes: making a lower-case copy of the text
 * costs more than the search. After a mismatch it skips as far as the byte under the needle's end allows.
 */
export function foldedFinder(needle: Uint8Array): Finder {
  const wanted = needle.map((byte) => LOWER[byte] ?? byte);
  const last = wanted.length - 1;
  const skip = new Uint8Array(256).fill(Math.min(wanted.length, 255));
  for (let at = Math.max(0, last - 254); at < last; at++) {
    const byte = uint8At(wanted, at);
    skip[byte] = last - at;
    if (byte >= 97 && byte <= 122) skip[byte - 32] = last - at;
  }
  return (bytes, from, to) => {
    for (let end = from + last; end < to; end += uint8At(skip, uint8At(bytes, end))) {
      let at = last;
      while (at >= 0 && LOWER[uint8At(bytes, end - last + at)] === wanted[at]) at--;
      if (at < 0) return end - last;
    }
    return -1;
  };
}
