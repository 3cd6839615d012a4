import { float64At, uint8At } from '../../contract/at.ts';
import type { DuplicateGroup } from '../reports/find-duplicates.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** The sizes of the files in a span, without empty ones. */
export function sizesIn(tree: Tree, { from, to }: Span): number[] {
  const sizes = new Set<number>();
  for (let row = from; row <= to; row++) if (hasContent(tree, row)) sizes.add(float64At(tree.size, row));
  return [...sizes];
}

/**
 * Marks the files of a span whose content is nowhere else: in no file outside the span, or, if the span is the whole
 * index, in no other file. A second name of the same file counts as a copy. Empty files have no content of their own.
 */
export function uniqueMarks(tree: Tree, span: Span, groups: readonly DuplicateGroup[]): Uint8Array {
  const { from, to } = span;
  const whole = from === 0 && to === tree.meta.nodes - 1;
  const isElsewhere = (row: number) => whole || row < from || row > to;
  const marks = new Uint8Array(tree.meta.nodes);
  for (let row = from; row <= to; row++) if (hasContent(tree, row)) marks[row] = 1;
  for (const { rows } of groups) if (rows.some(isElsewhere)) for (const row of rows) marks[row] = 0;
  // All names of a file share its fate.
  const copied = new Set<number>();
  const names = new Set<number>();
  for (const [i, row] of tree.linkRow.entries()) {
    const key = float64At(tree.linkKey, i);
    const again = whole ? names.has(key) : isElsewhere(row);
    names.add(key);
    if (again || marks[row] === 0) copied.add(key);
  }
  for (const [i, row] of tree.linkRow.entries()) if (copied.has(float64At(tree.linkKey, i))) marks[row] = 0;
  return marks;
}

function hasContent({ kind, size }: Tree, row: number): boolean {
  return (uint8At(kind, row) & KIND_MASK) === KIND.file && float64At(size, row) > 0;
}
