import { uint32At } from '../../contract/at.ts';

/** Bits per term: about one in thirty terms that were never added seems to be there. */
const BITS_PER_TERM = 12;
const WORD_BITS = 32;

/** A Bloom filter of terms with two bits for each. */
export class TermFilter {
  /** A power of two of them. */
  readonly bits: Uint32Array;

  constructor(terms: number) {
    const words = Math.max(1, Math.ceil((terms * BITS_PER_TERM) / WORD_BITS));
    this.bits = new Uint32Array(2 ** Math.ceil(Math.log2(words)));
  }

  add(term: string): void {
    const first = hash(term);
    for (const bit of [first, second(first)]) {
      const word = (bit >>> 5) & (this.bits.length - 1);
      this.bits[word] = uint32At(this.bits, word) | (1 << (bit & 31));
    }
  }
}

/** False if the term was never added. `?? 0` only pleases the compiler: a question asks this for every segment. */
export function mayHave(bits: Uint32Array, term: string): boolean {
  const first = hash(term);
  const mask = bits.length - 1;
  if ((((bits[(first >>> 5) & mask] ?? 0) >>> (first & 31)) & 1) === 0) return false;
  const other = second(first);
  return (((bits[(other >>> 5) & mask] ?? 0) >>> (other & 31)) & 1) === 1;
}

let lastTerm = '';
let lastHash = 0;

/** The same term is looked up in one segment after another. */
function hash(term: string): number {
  if (term === lastTerm) return lastHash;
  let value = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) value = Math.imul(value ^ term.charCodeAt(at), 0x01000193);
  lastTerm = term;
  lastHash = mixed(value);
  return lastHash;
}

function second(first: number): number {
  return mixed(first + 0x9e3779b9);
}

/** Spreads every bit over all others. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
