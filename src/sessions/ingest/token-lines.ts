import type { TokenRecords } from '../providers/provider.ts';
import { isAt, QUOTE } from '../read/json-bytes.ts';

/** Records that only name something are shorter than this. */
const SHORT_BYTES = 8 << 10;

/** Whether the line between two positions may say something about tokens; asked for the lines of a block in order. */
export type MayCount = (start: number, end: number) => boolean;

/** Finds the lines of a block that may say something about tokens. */
export function tokenLines({ words, within, shortWords = [] }: TokenRecords): (block: Buffer) => MayCount {
  const needles = words.map((word) => Buffer.from(word));
  const short = shortWords.map((word) => Buffer.from(word));
  const isShort = (block: Buffer, start: number, end: number) =>
    end - start < SHORT_BYTES && hasOne(block.subarray(start, end), short);
  if (within !== undefined)
    return (block) => (start, end) =>
      beginsWithOne(block, start, Math.min(end, start + within), needles) || isShort(block, start, end);
  return (block) => {
    // Where each word is next, so that all lines together are searched once.
    const next = needles.map(() => -1);
    return (start, end) => {
      for (const [index, needle] of needles.entries()) {
        let found = next[index] ?? -1;
        if (found < start) {
          const at = block.indexOf(needle, start);
          found = at < 0 ? block.length : at;
          next[index] = found;
        }
        if (found < end) return true;
      }
      return isShort(block, start, end);
    };
  };
}

function hasOne(bytes: Buffer, needles: readonly Buffer[]): boolean {
  for (const needle of needles) if (bytes.includes(needle)) return true;
  return false;
}

/** Whether one of the words is in the first bytes of a line. A search of so few bytes costs less here than a call. */
function beginsWithOne(block: Buffer, start: number, end: number, words: readonly Buffer[]): boolean {
  for (let at = start; at < end; at++) {
    if (block[at] !== QUOTE) continue;
    for (const word of words) if (at + word.length <= end && isAt(block, at, word)) return true;
  }
  return false;
}
