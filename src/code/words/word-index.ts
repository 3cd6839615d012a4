import { int32At, uint32At } from '../../contract/at.ts';
import { type ByteSource, memoryBytes } from './byte-source.ts';
import { grown, IdentifierTable } from './identifier-table.ts';
import { ownText } from './own-text.ts';
import { PostingPool } from './posting-pool.ts';
import { type NewTerm, packTerms, sortTerms, type TermDictionary } from './term-dictionary.ts';
import { eachIdentifier, splitTerms } from './terms.ts';
import { BODY, COMMENT, FIELDS } from './word-fields.ts';

/** Prefixes of terms from file names and folders, and of declared names. */
export const PREFIX = { stem: '/', folder: '.', defined: '#' } as const;

/**
 * Collects the postings of a segment; one per build. In `countText`, `count` and `flush`, which run for every word, `??
 * 0` only pleases the compiler: an accessor that checks the index makes them 16 % slower.
 */
export class WordIndexBuilder {
  readonly #ids = new Map<string, number>();
  readonly #postings = new PostingPool();
  readonly #identifiers = new IdentifierTable();
  /** The terms of identifier n are `#pool` from `#poolAt[n]` to `#poolAt[n + 1]`, without an object for each. */
  #pool = new Int32Array(1 << 16);
  #poolAt = new Int32Array(1 << 14);
  /** Counts of the current chunk, by field and term. */
  #counts: Uint16Array[] = FIELDS.map(() => new Uint16Array(1 << 16));
  /** Terms with a count; a term that is in several fields is listed for each. */
  #touched = new Int32Array(1 << 12);
  #touchedCount = 0;

  /** The id of a term; a new term gets one. */
  id(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(ownText(term), id);
      this.#postings.start();
      if (id >= (this.#counts[0]?.length ?? 0)) this.#counts = this.#counts.map(grown);
    }
    return id;
  }

  /** Counts all terms of a text as body, and again as comment where it is one. */
  countText(text: string, isComment: boolean): void {
    eachIdentifier(text, (from, to) => {
      const known = this.#identifiers.size;
      const number = this.#identifiers.number(text, from, to);
      if (number === known) this.#learn(number, text.slice(from, to));
      const end = this.#poolAt[number + 1] ?? 0;
      for (let at = this.#poolAt[number] ?? 0; at < end; at++) {
        const id = this.#pool[at] ?? 0;
        this.count(id, BODY);
        if (isComment) this.count(id, COMMENT);
      }
    });
  }

  /** Counts a term of the current chunk; `field` is an index into FIELDS. */
  count(id: number, field: number): void {
    const counts = this.#counts[field];
    if (counts === undefined) return;
    const before = counts[id] ?? 0;
    counts[id] = before + 1;
    if (before > 0) return;
    if (this.#touchedCount === this.#touched.length) this.#touched = grown(this.#touched);
    this.#touched[this.#touchedCount++] = id;
  }

  /** Finds the terms of a new identifier. */
  #learn(number: number, identifier: string): void {
    if (number + 2 > this.#poolAt.length) this.#poolAt = grown(this.#poolAt);
    let at = int32At(this.#poolAt, number);
    for (const term of splitTerms(identifier)) {
      if (at === this.#pool.length) this.#pool = grown(this.#pool);
      this.#pool[at++] = this.id(term);
    }
    this.#poolAt[number + 1] = at;
  }

  /** Ends a chunk (or a file, for path terms) and returns its number of words. */
  flush(owner: number): number {
    const [body, comment, signature, symbol] = this.#counts;
    if (body === undefined || comment === undefined || signature === undefined || symbol === undefined)
      return 0;
    let total = 0;
    for (let at = 0; at < this.#touchedCount; at++) {
      const id = this.#touched[at] ?? 0;
      const inBody = body[id] ?? 0;
      const inComment = comment[id] ?? 0;
      const inSignature = signature[id] ?? 0;
      const inSymbol = symbol[id] ?? 0;
      // A term is listed once per field; the first time takes all.
      if (inBody + inComment + inSignature + inSymbol === 0) continue;
      total += inBody;
      this.#postings.add(id, owner, inBody, inComment, inSignature, inSymbol);
      body[id] = 0;
      comment[id] = 0;
      signature[id] = 0;
      symbol[id] = 0;
    }
    this.#touchedCount = 0;
    return total;
  }

  /** The finished index as arrays. */
  finish(): WordIndexData {
    const pool = this.#postings;
    const sorted = sortTerms(this.#ids.keys());
    const numbers = new Uint32Array(sorted.length);
    const starts = new Uint32Array(sorted.length + 1);
    const terms = sorted.map((term, place): NewTerm => {
      const id = this.#ids.get(term) ?? 0;
      numbers[id] = place;
      const bytes = pool.length(id);
      starts[place + 1] = uint32At(starts, place) + bytes;
      return { term, frequency: pool.count(id), bytes };
    });
    const postings = new Uint8Array(uint32At(starts, sorted.length));
    for (const [id, place] of numbers.entries()) pool.copy(id, postings, uint32At(starts, place));
    return { terms: packTerms(terms), postings: memoryBytes(postings), numbers };
  }
}

/** A word index as it is stored. */
export interface StoredWords {
  readonly terms: TermDictionary;
  readonly postings: ByteSource;
}

export interface WordIndexData extends StoredWords {
  /** The number in the dictionary of each term, by the id that it had while the index was built. */
  readonly numbers: Uint32Array;
}
