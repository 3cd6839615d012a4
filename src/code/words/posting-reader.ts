import { HAS } from './posting-pool.ts';
import { findTerm, type Term } from './term-dictionary.ts';
import type { FieldCounts } from './word-fields.ts';
import type { StoredWords } from './word-index.ts';

/** In every segment, of which a large tree has hundreds. */
const MAX_CACHED_TERMS = 200;

/** Reads a stored word index. */
export class PostingReader {
  readonly #data: StoredWords;
  /** Terms that were found before: a question asks for each several times. */
  #found = new Map<string, Term>();

  constructor(data: StoredWords) {
    this.#data = data;
  }

  /** What the index knows about a term; undefined if it does not have it. */
  find(text: string): Term | undefined {
    const known = this.#found.get(text);
    if (known !== undefined) return known;
    const term = findTerm(this.#data.terms, text);
    if (term === undefined) return undefined;
    if (this.#found.size >= MAX_CACHED_TERMS) this.#found = new Map();
    this.#found.set(text, term);
    return term;
  }

  /** Calls `visit` with every owner of the term and its weighted count. */
  each({ from, to }: Term, weights: FieldCounts, visit: (owner: number, weight: number) => void): void {
    const postings = this.#data.postings.read(from, to);
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
  owners(term: Term, visit: (owner: number) => void): void {
    this.each(term, OWNERS_ONLY, visit);
  }
}

const OWNERS_ONLY: FieldCounts = { body: 0, comment: 0, signature: 0, symbol: 0 };
