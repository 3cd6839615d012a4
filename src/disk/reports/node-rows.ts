import { dirname } from 'node:path';
import { dayText } from '../../contract/format.ts';
import { nodeHandle } from '../handles.ts';
import { type KindName, kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { diskOf, folderAt, nameOf, pathOf } from '../tree/tree-nodes.ts';
import { Top } from './top-rows.ts';

/** A node as lists show it. */
export interface NodeRow {
  readonly node_id: string;
  readonly path: string;
  readonly kind: KindName;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
}

/** A node as small samples show it. */
export interface NodeSample extends Pick<NodeRow, 'node_id' | 'kind' | 'size'> {
  readonly name: string;
  /** The folder it is in: many nodes of a sample have the same name. */
  readonly in: string;
  /** Only of what has holes: what it takes on the disk. */
  readonly disk_size?: number | undefined;
}

/** Bytes of a node with everything below it. */
export function totalSize(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? (tree.size[row] ?? 0) : (tree.dirSize[folder] ?? 0);
}

/** Allocated bytes of a node with everything below it. */
export function totalDisk(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? diskOf(tree, row) : (tree.dirDisk[folder] ?? 0);
}

/** Allocated bytes where they tell something else than the size: files with holes. */
export function sparseDisk(tree: Tree, row: number): number | undefined {
  const size = totalSize(tree, row);
  const disk = totalDisk(tree, row);
  return size - disk > 1 << 20 && disk < size / 2 ? disk : undefined;
}

export function nodeRow(tree: Tree, row: number): NodeRow {
  return {
    node_id: nodeHandle(tree.id[row] ?? 0),
    path: pathOf(tree, row),
    kind: kindName(tree.kind[row] ?? 0),
    size: totalSize(tree, row),
    disk_size: totalDisk(tree, row),
    modified_at: dayText((tree.mtime[row] ?? 0) * 1000),
  };
}

export function nodeSample(tree: Tree, row: number): NodeSample {
  return {
    node_id: nodeHandle(tree.id[row] ?? 0),
    name: nameOf(tree, row),
    in: dirname(pathOf(tree, row)),
    kind: kindName(tree.kind[row] ?? 0),
    size: totalSize(tree, row),
    disk_size: sparseDisk(tree, row),
  };
}

/** The rows with the most allocated bytes, at most `most`; of equal ones the larger first. */
export function largestRows(tree: Tree, rows: Iterable<number>, most: number): number[] {
  if (most === 0) return [];
  const top = new Top(most);
  for (const row of rows) top.add(totalDisk(tree, row), row);
  return top
    .sorted()
    .sort((a, b) => b.value - a.value || totalSize(tree, b.row) - totalSize(tree, a.row))
    .map(({ row }) => row);
}
