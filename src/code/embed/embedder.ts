import type { TokenRows } from '../reader/read-tokens.ts';

/** Turns text into unit vectors whose dot product says how close two meanings are. */
export interface Embedder {
  /** Distinguishes the indexes of different models. */
  readonly name: string;
  readonly dimensions: number;
  /** Vectors of pieces of one file, in order. */
  passages(
    path: string,
    texts: readonly string[],
  ): Promise<readonly Float32Array[]> | readonly Float32Array[];
  /** The vector of a question; `weigh` says how much each of its words counts, if the model can use that. */
  question(text: string, weigh?: (word: string) => number): Promise<Float32Array> | Float32Array;
  /** The vector of a path alone, if the model computes it at no cost. */
  path?(path: string): Float32Array;
  /** The table behind the vectors, if there is one: definitions can then be read word by word. */
  readonly tokens?: TokenRows;
  /** The vector of a few words, at once, if the model computes it at no cost. */
  phrase?(text: string, weigh?: (word: string) => number): Float32Array;
}
