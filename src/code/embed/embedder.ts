/** A piece of a file to be embedded. */
export interface Passage {
  readonly path: string;
  readonly text: string;
}

/** Turns text into vectors of unit length whose dot product says how near two meanings are. */
export interface Embedder {
  /** Tells indexes of different models apart. */
  readonly name: string;
  readonly dimensions: number;
  /** Vectors of pieces of one file, in order. */
  passages(path: string, texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** The vector of a question. */
  question(text: string): Promise<Float32Array>;
}
