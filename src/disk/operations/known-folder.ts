import { lstat } from 'node:fs/promises';
import { z } from 'zod';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { sizeText } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import type { FolderPage } from '../browse/folder-page.ts';
import type { Disk } from '../disk.ts';
import { nodeHandle } from '../handles.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { sharedSize } from '../sizes.ts';

import { folderAt, nameOf, parentRow, rowOfPath } from '../tree/tree-nodes.ts';

import { depth_limit, dirs, disk_size, files, size } from './data-fields.ts';

/** A folder as an index knows it. */
export interface KnownFolder {
  readonly open: OpenIndex;
  readonly row: number;
  readonly folder: number;
  /** True when nothing in the folder itself has changed since the scan. */
  readonly fresh: boolean;
  /** True at a depth limit: the index has the totals of the folder, but not its entries. */
  readonly cut: boolean;
}

/** The folder in the index that covers it, if there is one. */
export async function knownFolder(path: string, disk: Disk): Promise<KnownFolder | undefined> {
  const open = await disk.indexes.covering(path);
  const row = open === undefined ? -1 : rowOfPath(open.tree, path);
  if (open === undefined || row < 0) return undefined;
  const { tree, heard } = open;
  const folder = folderAt(tree, row);
  const stats = await lstat(path).catch(() => undefined);
  if (folder < 0 || stats === undefined) return undefined;
  const cut = (uint8At(tree.kind, row) & FLAG.tooDeep) !== 0;
  const same = stats.ctimeMs === tree.dirTime[folder] && !heard.has(uint32At(tree.id, row));
  return { open, row, folder, fresh: same && !cut, cut };
}

/** A folder on the way from the root of the index to the current one. */
export const crumbSchema = z.object({ node_id: z.string(), name: z.string() });

const MAX_CRUMBS = 5;

/** The current folder and the nearest folders above it, outermost first. */
export function breadcrumbOf({ open, row }: KnownFolder): z.infer<typeof crumbSchema>[] {
  const { tree } = open;
  const crumbs: z.infer<typeof crumbSchema>[] = [];
  for (let at = row; crumbs.length < MAX_CRUMBS; at = parentRow(tree, at)) {
    crumbs.unshift({
      node_id: nodeHandle(uint32At(tree.id, at)),
      name: at === 0 ? tree.meta.root : nameOf(tree, at),
    });
    if (at === 0) break;
  }
  return crumbs;
}

/** Totals of a folder: the sizes of its entries, the rest and `own` add up to `size` plus `shared`. */
export const folderTotalSchema = z.object({
  size,
  disk_size,
  files,
  dirs,
  own: z.int().describe('bytes of the folder itself'),
  shared: z.int().optional().describe('bytes in several entries (hard links) that count once in the total'),
  at_least: z.literal(true).optional().describe('some of it could not be read, so there is more'),
  depth_limit,
});

type FolderTotal = ReadonlyData<typeof folderTotalSchema>;

/** The totals of a folder, to show with a page of its entries. */
export function folderTotal(known: KnownFolder, { before, left }: FolderPage): FolderTotal {
  const { row, folder, fresh } = known;
  const { tree } = known.open;
  const size = float64At(tree.dirSize, folder);
  const own = float64At(tree.size, row);
  const shared = sharedSize(before.size + left.size + own, size);
  return {
    size,
    disk_size: float64At(tree.dirDisk, folder),
    files: uint32At(tree.dirAllFiles, folder),
    dirs: uint32At(tree.dirDirs, folder),
    own,
    // In a folder that has changed, the entries are current but the totals are those of the scan.
    shared: fresh ? shared : undefined,
    at_least: uint32At(tree.dirErrors, folder) > 0 ? true : undefined,
    depth_limit: tree.meta.options.depthLimit,
  };
}

/** Totals as text: the sizes that are listed, and the space on the disk. */
export function folderTotalText(total: FolderTotal, units: TextStyle['units']): string {
  const { size, disk_size, shared, at_least, depth_limit } = total;
  return [
    `${at_least ? 'at least ' : ''}${sizeText(size, units)}, ${sizeText(disk_size, units)} on disk`,
    ...(shared === undefined ? [] : [`${sizeText(shared, units)} of it listed more than once`]),
    ...(depth_limit === undefined ? [] : [`known to depth ${depth_limit}`]),
  ].join(', ');
}

/** True if the scan could not read the folder itself. */
export function isUnreadable({ open: { tree }, row }: KnownFolder): boolean {
  return (uint8At(tree.kind, row) & FLAG.error) !== 0;
}
