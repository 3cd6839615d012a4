/** Turns text into vectors of unit length whose dot product says how near two meanings are. */
export interface Embedder {
  /** Tells indexes of different models apart. */
  readonly name: string;
  readonly dimensions: number;
  /** Vectors of pieces of one file, in order. */
  passages(
    path: string,
    texts: readonly string[],
  ): Promise<readonly Float32Array[]> | readonly Float32Array[];
  /** The vector of a question; `weigh` says how much each of its words counts, where the model can use that. */
  question(text: string, weigh?: (word: string) => number): Promise<Float32Array> | Float32Array;
  /** The vector of a file's name alone, where the model makes it at no cost. */
  path?(path: string): Float32Array;
}
