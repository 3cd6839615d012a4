import { NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { MARK, type Marks } from './folder-marks.ts';

/** Folders of a tree that are not watched yet: at most `room`, those in which something changed last. */
export function unwatched(tree: Tree, marks: Marks, room: number): number[] {
  const folders: number[] = [];
  if (room <= 0) return folders;
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const row = tree.dirRow[folder] ?? 0;
    const watched = (marks.get(tree.id[row] ?? 0) & MARK.watched) !== 0;
    if (!watched && ((tree.kind[row] ?? 0) & NOT_ENTERED) === 0) folders.push(folder);
  }
  if (folders.length <= room) return folders;
  const times = Float64Array.from(folders, (folder) => lastChange(tree, folder));
  const least = times.slice().sort()[times.length - room] ?? 0;
  return folders.filter((_folder, i) => (times[i] ?? 0) >= least).slice(0, room);
}

/** When something changed in the folder itself or in a file that lies directly in it. */
function lastChange(tree: Tree, folder: number): number {
  const row = tree.dirRow[folder] ?? 0;
  let latest = (tree.dirTime[folder] ?? 0) / 1000;
  for (let i = row + 1; i <= row + (tree.dirFiles[folder] ?? 0); i++)
    latest = Math.max(latest, tree.mtime[i] ?? 0);
  return latest;
}

/** Ids of folders that are not in the next generation, or whose place another folder has taken. */
export function departed(tree: Tree, next: Tree): number[] {
  const ino = new Float64Array(next.meta.nextId).fill(-1);
  for (const row of next.dirRow) ino[next.id[row] ?? 0] = next.ino[row] ?? 0;
  const gone: number[] = [];
  for (const row of tree.dirRow) {
    const id = tree.id[row] ?? 0;
    if (ino[id] !== tree.ino[row]) gone.push(id);
  }
  return gone;
}

/** Watched folders that have to be looked at, and how many nodes lie directly in them. */
export function toRecheck(tree: Tree, marks: Marks): { folders: number[]; nodes: number } {
  const folders: number[] = [];
  let nodes = 0;
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const bits = marks.get(tree.id[tree.dirRow[folder] ?? 0] ?? 0);
    if (bits !== (MARK.watched | MARK.unchecked)) continue;
    folders.push(folder);
    nodes += 1 + (tree.dirFiles[folder] ?? 0);
  }
  return { folders, nodes };
}
