import { float64At, uint8At } from '../../contract/at.ts';
import type { DuplicatesFound } from '../reports/find-duplicates.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** Finds equal files of these sizes in the whole index. */
export type EqualFiles = (sizes: readonly number[]) => Promise<DuplicatesFound>;

export interface LastCopies {
  /** By the first row of each span: how many files in it have copies, of which none remains. */
  readonly counts: ReadonlyMap<number, number>;
  /** False: there was no time to compare all files. */
  readonly complete: boolean;
}

/**
 * Counts files whose copies are all in the spans: a person who deletes copies means to keep one. Only sizes that occur
 * twice in the spans are compared.
 */
export async function lastCopies(
  tree: Tree,
  spans: readonly Span[],
  equalFiles: EqualFiles,
): Promise<LastCopies> {
  const counts = new Map<number, number>();
  const sizes = repeatedSizes(tree, spans);
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

function repeatedSizes(tree: Tree, spans: readonly Span[]): number[] {
  const once = new Set<number>();
  const twice = new Set<number>();
  for (const { from, to } of spans) {
    for (let row = from; row <= to; row++) {
      const size = float64At(tree.size, row);
      if ((uint8At(tree.kind, row) & KIND_MASK) !== KIND.file || size === 0) continue;
      (once.has(size) ? twice : once).add(size);
    }
  }
  return [...twice];
}
