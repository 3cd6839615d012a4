import { dirname } from 'node:path';
import { z } from 'zod';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { localDay } from '../../contract/zone.ts';
import { nodeHandle } from '../handles.ts';
import { KIND_NAMES, kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, folderAt, nameOf, pathOf } from '../tree/tree-nodes.ts';
import { TopRows } from './top-rows.ts';

/** A node as lists show it. */
export const nodeRowSchema = z.object({
  node_id: z.string(),
  path: z.string(),
  kind: z.enum(KIND_NAMES),
  size: z.int().describe('bytes of content, with everything below'),
  disk_size: z.int().describe('bytes allocated on the disk, with everything below'),
  modified_at: z.string(),
});

export type NodeRow = Readonly<z.infer<typeof nodeRowSchema>>;

/** A node as small samples show it. */
export const nodeSampleSchema = nodeRowSchema.pick({ node_id: true, kind: true, size: true }).extend({
  name: z.string(),
  in: z.string().describe('the folder it is in'),
  disk_size: z.int().optional().describe('bytes allocated on the disk, only for sparse files'),
  link: z.string().optional(),
});

export type NodeSample = Readonly<z.infer<typeof nodeSampleSchema>>;

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

export function nodeRow(tree: Tree, row: number, zone: string): NodeRow {
  return {
    node_id: nodeHandle(uint32At(tree.id, row)),
    path: pathOf(tree, row),
    kind: kindName(uint8At(tree.kind, row)),
    size: totalSize(tree, row),
    disk_size: totalDisk(tree, row),
    modified_at: localDay(uint32At(tree.mtime, row) * 1000, zone),
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

/** The rows with the most bytes of content, largest first. */
export function largestRows(tree: Tree, rows: Iterable<number>, limit: number): number[] {
  if (limit === 0) return [];
  const top = new TopRows(limit);
  for (const row of rows) top.add(totalSize(tree, row), row);
  return top.sorted().map(({ row }) => row);
}
