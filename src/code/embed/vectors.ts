import { float32At, int8At, uint32At } from '../../contract/at.ts';
import type { NumberSource } from '../words/byte-source.ts';

/** Where the int8 rows of stored vectors come from: memory, or a file if they are too large to keep. */
export interface RowSource {
  /** One row; the array may be overwritten by the next call. */
  row(at: number): Int8Array;
  /** All rows, one after the other, if they are in memory: a view of each row would cost as much as comparing it. */
  readonly rows?: Int8Array;
}

/** Unit vectors as int8 rows with one factor each; a row times its factor is the vector. */
export interface Vectors {
  readonly dimensions: number;
  readonly count: number;
  readonly source: RowSource;
  readonly factors: Float32Array;
  /** The sign of every value, 32 per number: a sketch for finding near vectors fast. */
  readonly signs: NumberSource;
  /** The sum of all vectors, to compute what an average one would score. */
  readonly sum: Float32Array;
}

/** Rows in one array. */
export function memoryRows(rows: Int8Array, dimensions: number): RowSource {
  return { rows, row: (at) => rows.subarray(at * dimensions, (at + 1) * dimensions) };
}

/** The dot product of a vector with a stored one. */
export function similarity(
  { source, factors, dimensions }: Vectors,
  at: number,
  vector: Float32Array,
): number {
  const rows = source.rows ?? source.row(at);
  const from = source.rows === undefined ? 0 : at * dimensions;
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += int8At(rows, from + i) * float32At(vector, i);
  return sum * float32At(factors, at);
}

/** A stored vector, unpacked. */
export function vectorAt({ source, factors }: Vectors, at: number): Float32Array {
  const factor = float32At(factors, at);
  return Float32Array.from(source.row(at), (value) => value * factor);
}

/** The average similarity of a vector to all stored vectors of several sets. */
export function meanSimilarity(sets: readonly Vectors[], vector: Float32Array): number {
  let total = 0;
  let count = 0;
  for (const set of sets) {
    count += set.count;
    for (let i = 0; i < vector.length; i++) total += float32At(set.sum, i) * float32At(vector, i);
  }
  return count === 0 ? 0 : total / count;
}

/** The signs of a vector's values, packed. */
export function packSigns(vector: ArrayLike<number>, out: Uint32Array, start: number): void {
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > 0) {
      const word = start + (i >> 5);
      out[word] = uint32At(out, word) | (1 << (i & 31));
    }
  }
}
