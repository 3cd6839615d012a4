import { KIND_MASK } from '../scan/node-kinds.ts';
import type { Tree } from './disk-tree.ts';

/**
 * Gives ids to the rows that have none: a node that vanished from one place and appeared in another with the
 * same inode, kind, size and time was renamed and keeps its id; all others get new ones. Returns the next free id.
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
    vanished.set(earlier.ino[row] ?? 0, row);
  }
  for (const row of fresh) {
    const ino = tree.ino[row] ?? 0;
    const was = vanished.get(ino);
    if (was !== undefined && alike(tree, row, earlier, was)) {
      tree.id[row] = earlier.id[was] ?? 0;
      vanished.delete(ino);
    } else tree.id[row] = next++;
  }
  return next;
}

/** Inode numbers are used again, so the rest must fit as well. */
function alike(tree: Tree, row: number, earlier: Tree, was: number): boolean {
  return (
    ((tree.kind[row] ?? 0) & KIND_MASK) === ((earlier.kind[was] ?? 0) & KIND_MASK) &&
    tree.mtime[row] === earlier.mtime[was] &&
    tree.size[row] === earlier.size[was]
  );
}
