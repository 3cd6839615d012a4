const MAX_BODY = 31;
const MAX_OTHER = 255;

/** Bits of the first byte of a posting besides the body count. */
export const HAS = { comment: 1, signature: 2, symbol: 4 } as const;

/**
 * The postings of one term, as bytes: the distance to the chunk before, a byte with the body count and which other
 * fields follow, and one byte for each of those. About two and a half bytes a posting.
 */
export class PostingWriter {
  #bytes = new Uint8Array(16);
  #length = 0;
  #last = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Chunks must come in rising order. */
  add(chunk: number, body: number, comment: number, signature: number, symbol: number): void {
    if (this.#length + 12 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let distance = chunk - this.#last;
    this.#last = chunk;
    this.#count++;
    while (distance > 127) {
      this.#put((distance & 127) | 128);
      distance >>>= 7;
    }
    this.#put(distance);
    const flags =
      (comment > 0 ? HAS.comment : 0) | (signature > 0 ? HAS.signature : 0) | (symbol > 0 ? HAS.symbol : 0);
    this.#put((Math.min(body, MAX_BODY) << 3) | flags);
    if (comment > 0) this.#put(Math.min(comment, MAX_OTHER));
    if (signature > 0) this.#put(Math.min(signature, MAX_OTHER));
    if (symbol > 0) this.#put(Math.min(symbol, MAX_OTHER));
  }

  #put(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }
}
