import type { DuplicatesFound } from '../reports/find-duplicates.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import type { Span } from '../tree/row-spans.ts';

/** Finds equal files of these sizes in the whole index. */
export type EqualFiles = (sizes: readonly number[]) => Promise<DuplicatesFound>;

export interface LastCopies {
  /** By the first row of each span: how many files in it have equals, none of which stays. */
  readonly counts: ReadonlyMap<number, number>;
  /** False: there was no time to compare all of them. */
  readonly complete: boolean;
}

/**
 * Files of which several equal ones are there, and all of them lie in the spans. Whoever clears away copies means to
 * keep one. Only sizes that come twice in the spans are looked at.
 */
export async function lastCopies(
  tree: Tree,
  spans: readonly Span[],
  equalFiles: EqualFiles,
): Promise<LastCopies> {
  const counts = new Map<number, number>();
  const sizes = sizesTwice(tree, spans);
  if (sizes.length === 0) return { counts, complete: true };
  const { groups, truncated } = await equalFiles(sizes);
  for (const { rows } of groups) {
    const holders = rows.map((row) => spans.find(({ from, to }) => row >= from && row <= to));
    if (holders.includes(undefined)) continue;
    for (const holder of holders)
      if (holder !== undefined) counts.set(holder.from, (counts.get(holder.from) ?? 0) + 1);
  }
  return { counts, complete: !truncated };
}

function sizesTwice(tree: Tree, spans: readonly Span[]): number[] {
  const once = new Set<number>();
  const twice = new Set<number>();
  for (const { from, to } of spans) {
    for (let row = from; row <= to; row++) {
      const size = tree.size[row] ?? 0;
      if (((tree.kind[row] ?? 0) & KIND_MASK) !== KIND.file || size === 0) continue;
      (once.has(size) ? twice : once).add(size);
    }
  }
  return [...twice];
}
