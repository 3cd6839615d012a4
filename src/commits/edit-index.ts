/** A change that a session made to a file. */
export interface LinkableEdit {
  /** The session that a person started. */
  readonly session: string;
  /** The path as written in the session. */
  readonly path: string;
  readonly ms: number;
  /** The edit wrote the whole file, so lines that were there before are among the added ones. */
  readonly whole: boolean;
  readonly added: Uint32Array;
  readonly removed: Uint32Array;
}

/** A hash and the number of an edit share one exact number; this is the room for the latter. */
const MAX_EDITS = 2 ** 21;

/** Finds edits by their lines and by time. The edits must be sorted by time. */
export class EditIndex<Edit extends LinkableEdit = LinkableEdit> {
  readonly edits: readonly Edit[];
  readonly #added: Float64Array;
  readonly #removed: Float64Array;

  constructor(edits: readonly Edit[]) {
    // More than any user has; commits are mostly about the newest.
    this.edits = edits.slice(-MAX_EDITS);
    this.#added = keysOf(this.edits.map(({ added }) => added));
    this.#removed = keysOf(this.edits.map(({ removed }) => removed));
  }

  adding(hash: number): Generator<Edit> {
    return this.#with(this.#added, hash);
  }

  removing(hash: number): Generator<Edit> {
    return this.#with(this.#removed, hash);
  }

  *between(fromMs: number, toMs: number): Generator<Edit> {
    for (let at = lowerBound(this.edits.length, (n) => (this.edits[n]?.ms ?? 0) < fromMs); ; at++) {
      const edit = this.edits[at];
      if (edit === undefined || edit.ms > toMs) return;
      yield edit;
    }
  }

  *#with(keys: Float64Array, hash: number): Generator<Edit> {
    for (let at = lowerBound(keys.length, (n) => (keys[n] ?? 0) < hash * MAX_EDITS); at < keys.length; at++) {
      const key = keys[at] ?? 0;
      if (Math.floor(key / MAX_EDITS) !== hash) return;
      const edit = this.edits[key % MAX_EDITS];
      if (edit !== undefined) yield edit;
    }
  }
}

function keysOf(lines: readonly Uint32Array[]): Float64Array {
  const keys = new Float64Array(lines.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const [edit, hashes] of lines.entries())
    for (const hash of hashes) keys[at++] = hash * MAX_EDITS + edit;
  return keys.sort();
}

/** The first index in a sorted list for which `isBefore` no longer holds. */
function lowerBound(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
