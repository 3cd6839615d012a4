import { dirname } from 'node:path';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { dayText } from '../../contract/format.ts';
import { nodeHandle } from '../handles.ts';
import { type KindName, kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, folderAt, nameOf, pathOf } from '../tree/tree-nodes.ts';
import { TopRows } from './top-rows.ts';

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
  /** The folder it is in, because many nodes of a sample have the same name. */
  readonly in: string;
  /** Allocated bytes; only for sparse files. */
  readonly disk_size?: number | undefined;
}

/** The size of a node with everything below it. */
export function totalSize(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? float64At(tree.size, row) : float64At(tree.dirSize, folder);
}

/** Allocated bytes of a node with everything below it. */
export function totalDisk(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  return folder < 0 ? diskOf(tree, row) : float64At(tree.dirDisk, folder);
}

/** Allocated bytes of a sparse file, where they differ a lot from the size. */
export function sparseDisk(tree: Tree, row: number): number | undefined {
  const size = totalSize(tree, row);
  const disk = totalDisk(tree, row);
  return size - disk > 1 << 20 && disk < size / 2 ? disk : undefined;
}

export function nodeRow(tree: Tree, row: number): NodeRow {
  return {
    node_id: nodeHandle(uint32At(tree.id, row)),
    path: pathOf(tree, row),
    kind: kindName(uint8At(tree.kind, row)),
    size: totalSize(tree, row),
    disk_size: totalDisk(tree, row),
    modified_at: dayText(uint32At(tree.mtime, row) * 1000),
  };
}

export function nodeSample(tree: Tree, row: number): NodeSample {
  return {
    node_id: nodeHandle(uint32At(tree.id, row)),
    name: nameOf(tree, row),
    in: dirname(pathOf(tree, row)),
    kind: kindName(uint8At(tree.kind, row)),
    size: totalSize(tree, row),
    disk_size: sparseDisk(tree, row),
  };
}

/** The rows with the most allocated bytes; of equal ones, the larger first. */
export function largestRows(tree: Tree, rows: Iterable<number>, limit: number): number[] {
  if (limit === 0) return [];
  const top = new TopRows(limit);
  for (const row of rows) top.add(totalDisk(tree, row), row);
  return top
    .sorted()
    .sort((a, b) => b.value - a.value || totalSize(tree, b.row) - totalSize(tree, a.row))
    .map(({ row }) => row);
}
