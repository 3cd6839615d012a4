/** The kind of a declaration, judging by its first words. */
export type ChunkKind = 'function' | 'class' | 'type' | 'module' | 'value' | 'section' | 'block';

/** A range of whole lines that is searched and shown as one unit. */
export interface Chunk {
  /** One-based, both included. */
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly kind: ChunkKind;
  /** Name of the declaration or heading that the chunk is or starts with. */
  readonly symbol?: string | undefined;
  /** Names of the enclosing declarations, outermost first. */
  readonly breadcrumb: readonly string[];
  /** Every name declared in it, in order. */
  readonly defines: readonly string[];
}

/** Something with a name in a file. Lines count from 0. */
export interface Declaration {
  readonly name: string;
  readonly kind: ChunkKind;
  /** The line with the name. */
  readonly line: number;
  /** First line, including comments and decorators. */
  readonly from: number;
  /** One after the last line. */
  readonly to: number;
  /** How deeply it is nested. */
  readonly level: number;
}
