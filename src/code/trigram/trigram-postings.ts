import { uint8At, uint32At } from '../../contract/at.ts';
import { END_OF_LINE, FOLLOWER, KEYS, SUBKEYS, SYMBOL, TRIGRAMS, UPPER } from './trigram-keys.ts';

/** The encoded lists of one segment, with the offset of each trigram's group. */
export interface EncodedPostings {
  readonly trigrams: Uint32Array;
  /** One more than trigrams: the end of the last group. */
  readonly offsets: Uint32Array;
  readonly groups: Buffer;
}

/** Blocks have 16-bit numbers. */
export const MAX_BLOCKS = 65_535;

/**
 * Collects which keys occur in which blocks. In its loops over every byte `?? 0` only pleases the compiler: an accessor
 * that checks the index makes indexing 14 % slower. Memory is bounded by the text of one segment: four bytes per key
 * and block, and fixed tables of 24 MB.
 */
export class PostingsBuilder {
  /** The last block (plus one) that had the key. */
  readonly #seen = new Uint16Array(KEYS);
  readonly #counts = new Uint32Array(KEYS);
  // Large enough for a usual segment, so that it is not copied to grow; unused pages cost nothing.
  #keys = new Uint32Array(1 << 24);
  // Kept from segment to segment, so that memory stays flat without waiting for garbage collection.
  #lists = new Uint16Array(1 << 24);
  readonly #writer = new ByteWriter(1 << 25);
  #length = 0;
  /** The end of the keys of each block. */
  #ends: number[] = [];

  get blocks(): number {
    return this.#ends.length;
  }

  /** Adds lines to the open block; `bytes[from, to)` starts and ends at line breaks. */
  add(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const mark = this.#ends.length + 1;
    const seen = this.#seen;
    const counts = this.#counts;
    const keys = this.#keys;
    let length = this.#length;
    let trigram = 0;
    let upper = 0;
    let run = 0;
    for (let at = from; at <= to; at++) {
      const byte = at < to ? (bytes[at] ?? 0) : 10;
      if (run >= 3) {
        const follower = byte === 10 ? END_OF_LINE : (FOLLOWER[byte] ?? 0);
        const key = (trigram << 4) | (upper === 0 ? follower : follower | 8);
        if (seen[key] !== mark) {
          seen[key] = mark;
          counts[key] = (counts[key] ?? 0) + 1;
          keys[length++] = key;
        }
      }
      if (byte === 10) run = 0;
      else {
        run++;
        trigram = ((trigram << 6) | (SYMBOL[byte] ?? 0)) & 0x3ffff;
        upper = ((upper << 1) | (UPPER[byte] ?? 0)) & 7;
      }
    }
    this.#length = length;
  }

  /** Closes the open block; later lines belong to the next one. */
  closeBlock(): void {
    this.#ends.push(this.#length);
  }

  /** Encodes everything and starts over. The result is valid until the next call. */
  finish(): EncodedPostings {
    const lists = this.#sorted();
    // Sorting turned the counts into the ends of the lists.
    const encoded = encode(lists, this.#counts, this.#ends.length, this.#writer);
    this.#seen.fill(0);
    this.#counts.fill(0);
    this.#length = 0;
    this.#ends = [];
    return encoded;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#keys.length) return;
    const larger = new Uint32Array(Math.max(this.#length + more, Math.ceil(this.#keys.length * 1.5)));
    larger.set(this.#keys.subarray(0, this.#length));
    this.#keys = larger;
  }

  /** Block numbers ordered by key: a counting sort, because every count is known. */
  #sorted(): Uint16Array {
    const next = this.#counts;
    let total = 0;
    for (let key = 0; key < KEYS; key++) {
      const count = next[key] ?? 0;
      next[key] = total;
      total += count;
    }
    if (this.#lists.length < total) this.#lists = new Uint16Array(total + (total >> 3));
    const lists = this.#lists;
    let at = 0;
    for (const [block, end] of this.#ends.entries()) {
      for (; at < end; at++) {
        const key = this.#keys[at] ?? 0;
        const place = next[key] ?? 0;
        lists[place] = block;
        next[key] = place + 1;
      }
    }
    return lists;
  }
}

function encode(lists: Uint16Array, ends: Uint32Array, blocks: number, writer: ByteWriter): EncodedPostings {
  writer.length = 0;
  const trigrams: number[] = [];
  const offsets: number[] = [];
  let start = 0;
  for (let trigram = 0; trigram < TRIGRAMS; trigram++) {
    const first = trigram * SUBKEYS;
    if (ends[first + SUBKEYS - 1] === start) continue;
    trigrams.push(trigram);
    offsets.push(writer.length);
    let mask = 0;
    for (let sub = 0, from = start; sub < SUBKEYS; sub++) {
      const end = uint32At(ends, first + sub);
      if (end > from) mask |= 1 << sub;
      from = end;
    }
    writer.uint16(mask);
    for (let sub = 0; sub < SUBKEYS; sub++) {
      const end = uint32At(ends, first + sub);
      if (end > start) writeList(writer, lists.subarray(start, end), blocks);
      start = end;
    }
  }
  offsets.push(writer.length);
  return { trigrams: Uint32Array.from(trigrams), offsets: Uint32Array.from(offsets), groups: writer.bytes() };
}

/** A list starts with its length in bytes, doubled, plus one for a bitmap; then come gaps or the bitmap. */
function writeList(writer: ByteWriter, blocks: Uint16Array, blockCount: number): void {
  const bitmapBytes = (blockCount + 7) >> 3;
  let bytes = 0;
  let last = -1;
  for (const block of blocks) {
    bytes += varintLength(block - last - 1);
    last = block;
  }
  if (bytes > bitmapBytes) {
    writer.varint(bitmapBytes * 2 + 1);
    writer.bitmap(blocks, bitmapBytes);
    return;
  }
  writer.varint(bytes * 2);
  last = -1;
  for (const block of blocks) {
    writer.varint(block - last - 1);
    last = block;
  }
}

function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

class ByteWriter {
  #bytes: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#bytes[this.length++] = value & 0xff;
    this.#bytes[this.length++] = value >> 8;
  }

  varint(value: number): void {
    this.#reserve(4);
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.length++] = rest;
  }

  bitmap(members: Uint16Array, size: number): void {
    this.#reserve(size);
    this.#bytes.fill(0, this.length, this.length + size);
    for (const member of members) {
      const at = this.length + (member >> 3);
      this.#bytes[at] = uint8At(this.#bytes, at) | (1 << (member & 7));
    }
    this.length += size;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.ceil(this.#bytes.length * 1.5) + more);
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
