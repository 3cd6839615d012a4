import { uint32At } from '../../contract/at.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** Searching for a text that is in many names takes longer than reading all names. */
const MAX_HITS = 4_000;

/** The rows of a span whose names contain one of the texts, ascending; undefined if there are too many. */
export function rowsContaining(tree: Tree, texts: readonly string[], span: Span): Uint32Array | undefined {
  const rows = new Set<number>();
  for (const text of texts) {
    for (const row of rowsWith(tree, Buffer.from(text), span)) {
      rows.add(row);
      if (rows.size > MAX_HITS) return undefined;
    }
  }
  return Uint32Array.from(rows).sort();
}

/** Searches all names at once; returns each row once. */
function* rowsWith({ names, nameAt }: Tree, bytes: Buffer, { from, to }: Span): Generator<number> {
  const part = names.subarray(0, nameAt[to + 1]);
  let row = from;
  let at = part.indexOf(bytes, nameAt[from]);
  while (at >= 0) {
    // Hits come in order: gallop from the last row to the one that contains this byte.
    let step = 1;
    while (row + step < nameAt.length && uint32At(nameAt, row + step) <= at) {
      row += step;
      step *= 2;
    }
    let high = Math.min(row + step, to + 1);
    while (high - row > 1) {
      const middle = (row + high) >>> 1;
      if (uint32At(nameAt, middle) <= at) row = middle;
      else high = middle;
    }
    const next = uint32At(nameAt, row + 1);
    if (at + bytes.length <= next) {
      yield row;
      at = part.indexOf(bytes, next);
    } else at = part.indexOf(bytes, at + 1);
  }
}
