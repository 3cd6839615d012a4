import { uint8At, uint32At } from '../../contract/at.ts';
import { type ByteSource, memoryBytes } from './byte-source.ts';
import { mayHave, TermFilter } from './term-filter.ts';

/**
 * The terms of a segment in the order of their bytes, in blocks. Only the first term of each block and the filter stay
 * in memory: the dictionaries of a large tree are larger than everything else that a question needs.
 */
export interface TermDictionary {
  /** Says at once that most terms which the segment lacks are not in it. */
  readonly filter: Uint32Array;
  /** The first term of each block: block n is between firstAt[n] and firstAt[n + 1]. */
  readonly firstAt: Uint32Array;
  readonly firstBytes: Uint8Array;
  /** Where each block starts, with one more at the end. */
  readonly blockAt: Uint32Array;
  /** Where the postings of the first term of each block start. */
  readonly postingAt: Uint32Array;
  readonly blocks: ByteSource;
}

/** What the dictionary knows about a term. */
export interface Term {
  /** Its place in the order of all terms. */
  readonly id: number;
  /** In how many chunks (or files, for path terms) it occurs. */
  readonly frequency: number;
  /** Where its postings are. */
  readonly from: number;
  readonly to: number;
}

/** A term with the number of its postings and their length in bytes. */
export interface NewTerm {
  readonly term: string;
  readonly frequency: number;
  readonly bytes: number;
}

const BLOCK_TERMS = 32;
/** Only with these characters may the order of texts differ from that of their bytes. */
const ODD_ORDER = /[\ud800-\uffff]/;

/** Terms in the order of their bytes. */
export function sortTerms(terms: Iterable<string>): string[] {
  const sorted = [...terms].sort();
  if (!sorted.some((term) => ODD_ORDER.test(term))) return sorted;
  return sorted
    .map((term) => ({ term, bytes: Buffer.from(term) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ term }) => term);
}

/** Packs terms, which must come in the order of their bytes; their postings follow each other in the same order. */
export function packTerms(terms: readonly NewTerm[]): TermDictionary {
  const count = Math.ceil(terms.length / BLOCK_TERMS);
  const filter = new TermFilter(terms.length);
  const firstAt = new Uint32Array(count + 1);
  const blockAt = new Uint32Array(count + 1);
  const postingAt = new Uint32Array(count);
  const firsts: Buffer[] = [];
  const out = new ByteList();
  let posting = 0;
  let before = Buffer.alloc(0);
  for (const [id, { term, frequency, bytes }] of terms.entries()) {
    filter.add(term);
    const own = Buffer.from(term);
    const isFirst = id % BLOCK_TERMS === 0;
    if (isFirst) {
      const block = id / BLOCK_TERMS;
      firsts.push(own);
      firstAt[block + 1] = uint32At(firstAt, block) + own.length;
      blockAt[block] = out.length;
      postingAt[block] = posting;
    }
    const shared = isFirst ? 0 : sharedBytes(before, own);
    out.number(shared);
    out.number(own.length - shared);
    out.bytes(own.subarray(shared));
    out.number(frequency);
    out.number(bytes);
    posting += bytes;
    before = own;
  }
  blockAt[count] = out.length;
  return {
    filter: filter.bits,
    firstAt,
    firstBytes: Buffer.concat(firsts),
    blockAt,
    postingAt,
    blocks: memoryBytes(out.finish()),
  };
}

/** What the dictionary knows about a term; undefined if it does not have it. */
export function findTerm(dictionary: TermDictionary, text: string): Term | undefined {
  if (!mayHave(dictionary.filter, text)) return undefined;
  const term = Buffer.from(text);
  const block = blockOf(dictionary, term);
  if (block < 0) return undefined;
  const { blockAt, postingAt, blocks } = dictionary;
  const bytes = blocks.read(uint32At(blockAt, block), uint32At(blockAt, block + 1));
  const cursor = { bytes, at: 0 };
  let from = uint32At(postingAt, block);
  // How many of its first bytes the last term read has in common with the wanted one.
  let same = 0;
  for (let id = block * BLOCK_TERMS; cursor.at < bytes.length; id++) {
    const shared = number(cursor);
    const length = number(cursor);
    const start = cursor.at;
    cursor.at += length;
    const frequency = number(cursor);
    const to = from + number(cursor);
    if (shared < same) return undefined;
    if (shared === same) {
      let own = 0;
      while (own < length && same < term.length && bytes[start + own] === term[same]) {
        own++;
        same++;
      }
      if (same === term.length && own === length) return { id, frequency, from, to };
    }
    from = to;
  }
  return undefined;
}

/** The last block whose first term is not after the given one; -1 if there is none. */
function blockOf({ firstAt, firstBytes }: TermDictionary, term: Uint8Array): number {
  let low = 0;
  let high = firstAt.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(firstBytes, uint32At(firstAt, middle), uint32At(firstAt, middle + 1), term) <= 0)
      low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function compare(bytes: Uint8Array, from: number, to: number, term: Uint8Array): number {
  const length = Math.min(to - from, term.length);
  for (let place = 0; place < length; place++) {
    const difference = uint8At(bytes, from + place) - uint8At(term, place);
    if (difference !== 0) return difference;
  }
  return to - from - term.length;
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

function number(cursor: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = uint8At(cursor.bytes, cursor.at++);
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}

/** Bytes that grow. */
class ByteList {
  #bytes = Buffer.alloc(1 << 12);
  length = 0;

  number(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.length++] = (rest & 127) | 128;
    this.#bytes[this.length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * this.#bytes.length + more);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
