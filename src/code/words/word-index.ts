import { BODY, COMMENT, FIELDS } from './fields.ts';
import { IdentifierTable } from './identifier-table.ts';
import { type PackedTexts, packTexts } from './packed-texts.ts';
import { PostingWriter } from './posting-writer.ts';
import { eachIdentifier, identifierTerms } from './terms.ts';

/** Prefixes of terms that stand for a file rather than a chunk, and for a declared name. */
export const PREFIX = { stem: '/', folder: '.', defined: '#' } as const;

/** Collects the postings of a segment; one per build. */
export class WordIndexBuilder {
  readonly #ids = new Map<string, number>();
  readonly #writers: PostingWriter[] = [];
  readonly #identifiers = new IdentifierTable();
  /** The terms of each identifier, by its number. */
  readonly #termsOf: Int32Array[] = [];
  #counts: Uint16Array[] = FIELDS.map(() => new Uint16Array(1 << 16));
  #touched: number[] = [];

  /** The number of a term, new ones included. */
  id(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#writers.length;
      this.#ids.set(term, id);
      this.#writers.push(new PostingWriter());
      if (id >= (this.#counts[0]?.length ?? 0)) this.#grow();
    }
    return id;
  }

  /** Counts all terms of a text as body, and again as comment where it is one. */
  countText(text: string, isComment: boolean): void {
    eachIdentifier(text, (from, to) => {
      const number = this.#identifiers.number(text, from, to);
      let ids = this.#termsOf[number];
      if (ids === undefined) {
        ids = Int32Array.from(identifierTerms(text.slice(from, to)), (term) => this.id(term));
        this.#termsOf[number] = ids;
      }
      for (let at = 0; at < ids.length; at++) {
        this.count(ids[at] ?? 0, BODY);
        if (isComment) this.count(ids[at] ?? 0, COMMENT);
      }
    });
  }

  /** Counts a term of the chunk being read; `field` is a place in FIELDS. */
  count(id: number, field: number): void {
    const of = this.#counts[field];
    if (of === undefined) return;
    const before = of[id] ?? 0;
    if (before === 0) this.#touched.push(id);
    of[id] = before + 1;
  }

  /** Ends a chunk (or a file, for path terms) and returns its number of words. */
  flush(owner: number): number {
    const [body, comment, signature, symbol] = this.#counts;
    let total = 0;
    for (const id of this.#touched) {
      const inBody = body?.[id] ?? 0;
      const inComment = comment?.[id] ?? 0;
      const inSignature = signature?.[id] ?? 0;
      const inSymbol = symbol?.[id] ?? 0;
      // A term is listed once for each field it is in; the first time takes all.
      if (inBody + inComment + inSignature + inSymbol === 0) continue;
      total += inBody;
      this.#writers[id]?.add(owner, inBody, inComment, inSignature, inSymbol);
      for (const of of this.#counts) of[id] = 0;
    }
    this.#touched = [];
    return total;
  }

  /** The finished index as plain arrays. */
  finish(): WordIndexData {
    const terms = [...this.#ids.keys()];
    const starts = new Uint32Array(terms.length + 1);
    const frequencies = new Uint32Array(terms.length);
    for (const [id, writer] of this.#writers.entries()) {
      starts[id + 1] = (starts[id] ?? 0) + writer.bytes.length;
      frequencies[id] = writer.count;
    }
    const postings = new Uint8Array(starts[terms.length] ?? 0);
    for (const [id, writer] of this.#writers.entries()) postings.set(writer.bytes, starts[id] ?? 0);
    const order = Uint32Array.from(terms.keys()).sort((a, b) =>
      (terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1,
    );
    return { ...packTexts(terms), order, starts, frequencies, postings };
  }

  #grow(): void {
    this.#counts = this.#counts.map((old) => {
      const larger = new Uint16Array(old.length * 2);
      larger.set(old);
      return larger;
    });
  }
}

/** A word index in the form it is stored in. */
export interface WordIndexData extends PackedTexts {
  /** Term ids in the order of their terms, for looking them up. */
  readonly order: Uint32Array;
  /** Where the postings of each term start, by id. */
  readonly starts: Uint32Array;
  readonly frequencies: Uint32Array;
  readonly postings: Uint8Array;
}
