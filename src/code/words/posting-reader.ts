import type { FieldCounts } from './fields.ts';
import { HAS } from './posting-writer.ts';
import type { WordIndexData } from './word-index.ts';

/** Reads a stored word index. */
export class PostingReader {
  readonly #data: WordIndexData;
  #ids: Map<string, number> | undefined;

  constructor(data: WordIndexData) {
    this.#data = data;
  }

  /** The number of a term, or undefined; the dictionary is unpacked on first use. */
  id(term: string): number | undefined {
    this.#ids ??= new Map(this.#data.terms.split('\n').map((name, id) => [name, id]));
    return this.#ids.get(term);
  }

  /** In how many chunks (or files, for path terms) the term stands. */
  frequency(id: number): number {
    return this.#data.frequencies[id] ?? 0;
  }

  /** Calls `visit` with every owner of the term and its count, fields weighed. */
  each(id: number, weights: FieldCounts, visit: (owner: number, weight: number) => void): void {
    const { starts, postings } = this.#data;
    let at = starts[id] ?? 0;
    const end = starts[id + 1] ?? 0;
    let owner = 0;
    while (at < end) {
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
