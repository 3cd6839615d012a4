import type { Tree } from '../tree/disk-tree.ts';
import type { Span } from '../tree/row-spans.ts';

/** Looking for a text that is everywhere takes longer than reading all names. */
const MOST_HITS = 4_000;

/** The rows of a span whose names hold one of the texts, ascending; undefined when there are too many. */
export function rowsHolding(tree: Tree, texts: readonly string[], span: Span): Uint32Array | undefined {
  const rows = new Set<number>();
  for (const text of texts) {
    for (const row of rowsWith(tree, Buffer.from(text), span)) {
      rows.add(row);
      if (rows.size > MOST_HITS) return undefined;
    }
  }
  return Uint32Array.from(rows).sort();
}

/** One search through all names; each row once. */
function* rowsWith({ names, nameAt }: Tree, bytes: Buffer, { from, to }: Span): Generator<number> {
  const part = names.subarray(0, nameAt[to + 1]);
  let row = from;
  let at = part.indexOf(bytes, nameAt[from]);
  while (at >= 0) {
    // Hits come in order: gallop ahead from the last row to the one that holds this byte.
    let step = 1;
    while ((nameAt[row + step] ?? Number.POSITIVE_INFINITY) <= at) {
      row += step;
      step *= 2;
    }
    let high = Math.min(row + step, to + 1);
    while (high - row > 1) {
      const middle = (row + high) >>> 1;
      if ((nameAt[middle] ?? 0) <= at) row = middle;
      else high = middle;
    }
    const next = nameAt[row + 1] ?? 0;
    if (at + bytes.length <= next) {
      yield row;
      at = part.indexOf(bytes, next);
    } else at = part.indexOf(bytes, at + 1);
  }
}
