import { uint8At, uint32At } from '../../contract/at.ts';
import { KIND_MASK } from '../scan/node-kinds.ts';
import type { Tree } from './tree-columns.ts';

/**
 * Assigns ids to the rows that have none. A node that disappeared in one place and appeared in another with the same
 * inode, kind, size and time was renamed and keeps its id; all others get new ids. Returns the next free id.
 */
export function giveIds(
  tree: Tree,
  fresh: readonly number[],
  earlier: Tree | undefined,
  seen: Uint8Array,
  firstId: number,
): number {
  if (earlier === undefined) {
    for (let row = 0; row < tree.id.length; row++) tree.id[row] = firstId + row;
    return firstId + tree.id.length;
  }
  let next = earlier.meta.nextId;
  if (fresh.length === 0) return next;
  const vanished = new Map<number, number>();
  for (let row = seen.indexOf(0); row >= 0; row = seen.indexOf(0, row + 1)) {
    vanished.set(uint32At(earlier.ino, row), row);
  }
  for (const row of fresh) {
    const ino = uint32At(tree.ino, row);
    const was = vanished.get(ino);
    if (was !== undefined && isSameNode(tree, row, earlier, was)) {
      tree.id[row] = uint32At(earlier.id, was);
      vanished.delete(ino);
    } else tree.id[row] = next++;
  }
  return next;
}

/** Inode numbers are reused, so the other facts must match as well. */
function isSameNode(tree: Tree, row: number, earlier: Tree, was: number): boolean {
  return (
    (uint8At(tree.kind, row) & KIND_MASK) === (uint8At(earlier.kind, was) & KIND_MASK) &&
    tree.mtime[row] === earlier.mtime[was] &&
    tree.size[row] === earlier.size[was]
  );
}
