import type { VectorRows } from '../semantic/segment.ts';

/** Collects unit vectors as int8 rows. */
export class VectorRowWriter {
  readonly #dimensions: number;
  #rows: Int8Array;
  #factors: number[] = [];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#rows = new Int8Array(dimensions * 256);
  }

  add(vector: Float32Array): void {
    const at = this.#factors.length * this.#dimensions;
    if (at + this.#dimensions > this.#rows.length) {
      const larger = new Int8Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    const scale = largest === 0 ? 0 : 127 / largest;
    for (let i = 0; i < this.#dimensions; i++) this.#rows[at + i] = Math.round((vector[i] ?? 0) * scale);
    this.#factors.push(largest / 127);
  }

  finish(): VectorRows {
    const length = this.#factors.length * this.#dimensions;
    return {
      dimensions: this.#dimensions,
      rows: this.#rows.slice(0, length),
      factors: Float32Array.from(this.#factors),
    };
  }
}
