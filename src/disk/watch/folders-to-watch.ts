import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderId } from '../tree/tree-nodes.ts';
import { MARK, type Marks } from './folder-marks.ts';

/** Folders of a tree that are not watched yet, at most `room`: those that changed most recently. */
export function unwatched(tree: Tree, marks: Marks, room: number): number[] {
  const folders: number[] = [];
  if (room <= 0) return folders;
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const row = uint32At(tree.dirRow, folder);
    const watched = (marks.get(uint32At(tree.id, row)) & MARK.watched) !== 0;
    if (!watched && (uint8At(tree.kind, row) & NOT_ENTERED) === 0) folders.push(folder);
  }
  if (folders.length <= room) return folders;
  const times = Float64Array.from(folders, (folder) => lastChange(tree, folder));
  const earliest = float64At(times.slice().sort(), times.length - room);
  return folders.filter((_folder, i) => float64At(times, i) >= earliest).slice(0, room);
}

/** When the folder, or a file directly in it, last changed. */
function lastChange(tree: Tree, folder: number): number {
  const row = uint32At(tree.dirRow, folder);
  let latest = float64At(tree.dirTime, folder) / 1000;
  for (let i = row + 1; i <= row + uint32At(tree.dirFiles, folder); i++)
    latest = Math.max(latest, uint32At(tree.mtime, i));
  return latest;
}

/** Ids of folders that are not in the next generation, or that another folder has replaced. */
export function departed(tree: Tree, next: Tree): number[] {
  const ino = new Float64Array(next.meta.nextId).fill(-1);
  for (const row of next.dirRow) ino[uint32At(next.id, row)] = uint32At(next.ino, row);
  const gone: number[] = [];
  for (const row of tree.dirRow) {
    const id = uint32At(tree.id, row);
    if (ino[id] !== tree.ino[row]) gone.push(id);
  }
  return gone;
}

/** Watched folders that must be checked, and how many nodes they have with their files. */
export function toRecheck(tree: Tree, marks: Marks): { folders: number[]; nodes: number } {
  const folders: number[] = [];
  let nodes = 0;
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const bits = marks.get(folderId(tree, folder));
    if (bits !== (MARK.watched | MARK.unchecked)) continue;
    folders.push(folder);
    nodes += 1 + uint32At(tree.dirFiles, folder);
  }
  return { folders, nodes };
}
