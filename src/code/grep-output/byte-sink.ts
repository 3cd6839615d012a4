/** Collects bytes in a buffer that grows as needed and is reused. */
export class ByteSink {
  #bytes = Buffer.allocUnsafe(1 << 16);
  length = 0;

  /** Text of any characters. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.length += this.#bytes.write(text, this.length);
  }

  copy(from: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(start === 0 && end === from.length ? from : from.subarray(start, end), this.length);
    this.length += end - start;
  }

  /** Returns a copy of what was written and empties the sink. */
  take(): Uint8Array {
    const taken = Uint8Array.prototype.slice.call(this.#bytes, 0, this.length);
    this.length = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + more));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
