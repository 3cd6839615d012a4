import { float32At } from '../../contract/at.ts';
import { memoryNumbers } from '../words/byte-source.ts';
import { memoryRows, packSigns, type Vectors } from './vectors.ts';

/** Collects unit vectors as int8 rows. */
export class VectorWriter {
  readonly #dimensions: number;
  readonly #sum: Float32Array;
  readonly #factors: number[] = [];
  #rows: Int8Array;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#sum = new Float32Array(dimensions);
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
    for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(float32At(vector, i)));
    const scale = largest === 0 ? 0 : 127 / largest;
    for (let i = 0; i < this.#dimensions; i++) {
      const value = float32At(vector, i);
      this.#rows[at + i] = Math.round(value * scale);
      this.#sum[i] = float32At(this.#sum, i) + value;
    }
    this.#factors.push(largest / 127);
  }

  finish(): Vectors & { readonly rows: Int8Array } {
    const count = this.#factors.length;
    const rows = this.#rows.slice(0, count * this.#dimensions);
    const words = Math.ceil(this.#dimensions / 32);
    const signs = new Uint32Array(count * words);
    for (let at = 0; at < count; at++) {
      packSigns(rows.subarray(at * this.#dimensions, (at + 1) * this.#dimensions), signs, at * words);
    }
    return {
      dimensions: this.#dimensions,
      count,
      rows,
      source: memoryRows(rows, this.#dimensions),
      factors: Float32Array.from(this.#factors),
      signs: memoryNumbers(signs),
      sum: this.#sum,
    };
  }
}
