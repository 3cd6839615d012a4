const MAX_BODY_COUNT = 31;
const MAX_OTHER_COUNT = 255;

/** Flags in the first byte of a posting, below the body count. */
export const HAS = { comment: 1, signature: 2, symbol: 4 } as const;

/**
 * The postings of one term, as bytes: the distance to the previous chunk, a byte with the body count and which other
 * fields follow, and one byte for each of those. About two and a half bytes per posting.
 */
export class PostingWriter {
  /** A plain array, because most terms have only a posting or two and making a typed array costs more. */
  readonly bytes: number[] = [];
  #last = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Chunks must come in ascending order. */
  add(chunk: number, body: number, comment: number, signature: number, symbol: number): void {
    let distance = chunk - this.#last;
    this.#last = chunk;
    this.#count++;
    while (distance > 127) {
      this.bytes.push((distance & 127) | 128);
      distance >>>= 7;
    }
    this.bytes.push(distance);
    const flags =
      (comment > 0 ? HAS.comment : 0) | (signature > 0 ? HAS.signature : 0) | (symbol > 0 ? HAS.symbol : 0);
    this.bytes.push((Math.min(body, MAX_BODY_COUNT) << 3) | flags);
    if (comment > 0) this.bytes.push(Math.min(comment, MAX_OTHER_COUNT));
    if (signature > 0) this.bytes.push(Math.min(signature, MAX_OTHER_COUNT));
    if (symbol > 0) this.bytes.push(Math.min(symbol, MAX_OTHER_COUNT));
  }
}
