import { uint32At } from '../../contract/at.ts';
import { unpackText } from './packed-texts.ts';
import { HAS } from './posting-pool.ts';
import type { FieldCounts } from './word-fields.ts';
import type { WordIndexData } from './word-index.ts';

/** In every segment, of which a large tree has hundreds. */
const MAX_CACHED_TERMS = 2_000;

/** Reads a stored word index. */
export class PostingReader {
  readonly #data: WordIndexData;
  /** Terms that were looked up before: questions and files repeat them. */
  #found = new Map<string, number | undefined>();

  constructor(data: WordIndexData) {
    this.#data = data;
  }

  /** The id of a term, or undefined. */
  id(term: string): number | undefined {
    if (this.#found.has(term)) return this.#found.get(term);
    if (this.#found.size > MAX_CACHED_TERMS) this.#found = new Map();
    const id = this.#search(term);
    this.#found.set(term, id);
    return id;
  }

  #search(term: string): number | undefined {
    const { order } = this.#data;
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const id = uint32At(order, middle);
      const found = unpackText(this.#data, id);
      if (found === term) return id;
      if (found < term) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** In how many chunks (or files, for path terms) the term occurs. */
  frequency(id: number): number {
    return uint32At(this.#data.frequencies, id);
  }

  /** Calls `visit` with every owner of the term and its weighted count. */
  each(id: number, weights: FieldCounts, visit: (owner: number, weight: number) => void): void {
    const { starts, postings: source } = this.#data;
    const postings = source.read(uint32At(starts, id), uint32At(starts, id + 1));
    let at = 0;
    let owner = 0;
    // Here `?? 0` only pleases the compiler: an accessor that checks the index makes this loop 6 % slower.
    while (at < postings.length) {
      let shift = 0;
      let byte = postings[at++] ?? 0;
      while (byte > 127) {
        owner += (byte & 127) << shift;
        shift += 7;
        byte = postings[at++] ?? 0;
      }
      owner += byte << shift;
      const head = postings[at++] ?? 0;
      let weight = (head >> 3) * weights.body;
      if (head & HAS.comment) weight += (postings[at++] ?? 0) * weights.comment;
      if (head & HAS.signature) weight += (postings[at++] ?? 0) * weights.signature;
      if (head & HAS.symbol) weight += (postings[at++] ?? 0) * weights.symbol;
      visit(owner, weight);
    }
  }

  /** Calls `visit` with every owner of the term. */
  owners(id: number, visit: (owner: number) => void): void {
    this.each(id, OWNERS_ONLY, visit);
  }
}

const OWNERS_ONLY: FieldCounts = { body: 0, comment: 0, signature: 0, symbol: 0 };
