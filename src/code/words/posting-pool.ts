import { int32At } from '../../contract/at.ts';
import { grown } from './identifier-table.ts';

const MAX_BODY_COUNT = 31;
const MAX_OTHER_COUNT = 255;
/** Bytes of the first piece of a list; each later one is twice as large, up to the second number. */
const PIECE_BYTES = { first: 8, most: 512 };
/** At the end of a piece: where the next one starts. */
const LINK_BYTES = 4;

/** Flags in the first byte of a posting, below the body count. */
export const HAS = { comment: 1, signature: 2, symbol: 4 } as const;

/**
 * The postings of all terms, as bytes: the distance to the previous chunk, a byte with the body count and which other
 * fields follow, and one byte for each of those. About two and a half bytes per posting. The lists grow piece by piece
 * in one array, because most terms have only a posting or two and an array of numbers for each takes several times the memory.
 * `?? 0` only pleases the compiler: `add` runs for every word of every chunk.
 */
export class PostingPool {
  #bytes = new Uint8Array(1 << 20);
  #used = 0;
  #lists = 0;
  /** By list: where it starts, where the next byte goes, where the current piece ends, and its size. */
  #first = new Int32Array(1 << 14);
  #next = new Int32Array(1 << 14);
  #end = new Int32Array(1 << 14);
  #piece = new Uint16Array(1 << 14);
  #last = new Int32Array(1 << 14);
  #counts = new Int32Array(1 << 14);
  #lengths = new Int32Array(1 << 14);

  /** Starts an empty list; lists are numbered from 0. */
  start(): void {
    if (this.#lists === this.#first.length) {
      this.#first = grown(this.#first);
      this.#next = grown(this.#next);
      this.#end = grown(this.#end);
      this.#piece = grown(this.#piece);
      this.#last = grown(this.#last);
      this.#counts = grown(this.#counts);
      this.#lengths = grown(this.#lengths);
    }
    const list = this.#lists++;
    const from = this.#take(PIECE_BYTES.first);
    this.#piece[list] = PIECE_BYTES.first;
    this.#first[list] = from;
    this.#next[list] = from;
    this.#end[list] = from + PIECE_BYTES.first - LINK_BYTES;
  }

  /** Adds a posting; the chunks of a list must come in ascending order. */
  add(list: number, chunk: number, body: number, comment: number, signature: number, symbol: number): void {
    let distance = chunk - (this.#last[list] ?? 0);
    this.#last[list] = chunk;
    this.#counts[list] = (this.#counts[list] ?? 0) + 1;
    while (distance > 127) {
      this.#push(list, (distance & 127) | 128);
      distance >>>= 7;
    }
    this.#push(list, distance);
    const flags =
      (comment > 0 ? HAS.comment : 0) | (signature > 0 ? HAS.signature : 0) | (symbol > 0 ? HAS.symbol : 0);
    this.#push(list, (Math.min(body, MAX_BODY_COUNT) << 3) | flags);
    if (comment > 0) this.#push(list, Math.min(comment, MAX_OTHER_COUNT));
    if (signature > 0) this.#push(list, Math.min(signature, MAX_OTHER_COUNT));
    if (symbol > 0) this.#push(list, Math.min(symbol, MAX_OTHER_COUNT));
  }

  /** In how many chunks a list's term occurs. */
  count(list: number): number {
    return int32At(this.#counts, list);
  }

  /** The bytes of a list. */
  length(list: number): number {
    return int32At(this.#lengths, list);
  }

  /** Copies a list to `out`, from `start` on. */
  copy(list: number, out: Uint8Array, start: number): void {
    let left = this.length(list);
    let size = PIECE_BYTES.first;
    for (let from = int32At(this.#first, list), to = start; left > 0; ) {
      const length = Math.min(left, size - LINK_BYTES);
      out.set(this.#bytes.subarray(from, from + length), to);
      left -= length;
      to += length;
      if (left > 0) from = this.#link(from + length);
      size = larger(size);
    }
  }

  #push(list: number, byte: number): void {
    let at = this.#next[list] ?? 0;
    if (at === this.#end[list]) at = this.#grow(list, at);
    this.#bytes[at] = byte;
    this.#next[list] = at + 1;
    this.#lengths[list] = (this.#lengths[list] ?? 0) + 1;
  }

  /** Links another piece to a full one; returns where it starts. */
  #grow(list: number, at: number): number {
    const size = larger(this.#piece[list] ?? 0);
    const from = this.#take(size);
    this.#piece[list] = size;
    this.#end[list] = from + size - LINK_BYTES;
    for (let byte = 0; byte < LINK_BYTES; byte++) this.#bytes[at + byte] = (from >>> (8 * byte)) & 255;
    return from;
  }

  #link(at: number): number {
    let from = 0;
    for (let byte = 0; byte < LINK_BYTES; byte++) from |= (this.#bytes[at + byte] ?? 0) << (8 * byte);
    return from;
  }

  #take(size: number): number {
    const from = this.#used;
    this.#used += size;
    if (this.#used > this.#bytes.length) {
      const more = new Uint8Array(this.#bytes.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    return from;
  }
}

const larger = (size: number): number => Math.min(2 * size, PIECE_BYTES.most);
