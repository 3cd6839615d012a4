import { lstat } from 'node:fs/promises';
import { sizeText } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import type { FolderPage } from '../browse/folder-page.ts';
import type { Disk } from '../disk.ts';
import { nodeHandle } from '../handles.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { sharedSize } from '../sizes.ts';
import { folderAt, nameOf, rowOfPath } from '../tree/tree-nodes.ts';

/** A folder as an index knows it. */
export interface KnownFolder {
  readonly open: OpenIndex;
  readonly row: number;
  readonly folder: number;
  /** True when nothing in the folder itself has changed since the scan. */
  readonly fresh: boolean;
  /** True at a depth limit: the index has its totals, and nothing of what is in it. */
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
  const cut = ((tree.kind[row] ?? 0) & FLAG.tooDeep) !== 0;
  const same = stats.ctimeMs === tree.dirTime[folder] && !heard.has(tree.id[row] ?? 0);
  return { open, row, folder, fresh: same && !cut, cut };
}

/** A folder on the way to where one is. */
export interface Crumb {
  readonly node_id: string;
  readonly name: string;
}

/** Levels that are told; the path itself stands beside them. */
const NEAREST = 5;

/** The way from the root of the index, or the last part of it, to a folder: the handles of what is above it. */
export function breadcrumbOf({ open, row }: KnownFolder): Crumb[] {
  const { tree } = open;
  const crumbs: Crumb[] = [];
  for (let at = row; crumbs.length < NEAREST; at = tree.dirRow[tree.parent[at] ?? 0] ?? 0) {
    crumbs.unshift({
      node_id: nodeHandle(tree.id[at] ?? 0),
      name: at === 0 ? tree.meta.root : nameOf(tree, at),
    });
    if (at === 0) break;
  }
  return crumbs;
}

/** Totals of the folder: entries + rest + own, less what is shared by hard links, is the size. */
export interface Total {
  readonly size: number;
  readonly disk_size: number;
  readonly files: number;
  readonly dirs: number;
  readonly own: number;
  readonly shared?: number | undefined;
  /** True: some of it could not be read, so there is more. */
  readonly at_least?: boolean | undefined;
  /** Sizes and files are of everything; folders are counted down to this depth of the index. */
  readonly depth_limit?: number | undefined;
}

/** The totals of a folder beside the entries of its listing. */
export function totalOf(known: KnownFolder, { before, left }: FolderPage): Total {
  const { row, folder, fresh } = known;
  const { tree } = known.open;
  const size = tree.dirSize[folder] ?? 0;
  const own = tree.size[row] ?? 0;
  const shared = sharedSize(before.size + left.size + own, size);
  return {
    size,
    disk_size: tree.dirDisk[folder] ?? 0,
    files: tree.dirAllFiles[folder] ?? 0,
    dirs: tree.dirDirs[folder] ?? 0,
    own,
    // Of a folder that has changed the entries are of now and the totals of the scan.
    shared: fresh ? shared : undefined,
    at_least: (tree.dirErrors[folder] ?? 0) > 0 ? true : undefined,
    depth_limit: tree.meta.options.depthLimit,
  };
}

/** Totals in words: of what is listed, and of what it takes on the disk. */
export function totalText(total: Total, units: TextStyle['units']): string {
  const { size, disk_size, shared, at_least, depth_limit } = total;
  return [
    `${at_least ? 'at least ' : ''}${sizeText(size, units)}, ${sizeText(disk_size, units)} on disk`,
    ...(shared === undefined ? [] : [`${sizeText(shared, units)} of it listed more than once`]),
    ...(depth_limit === undefined ? [] : [`known to depth ${depth_limit}`]),
  ].join(', ');
}

/** True where the scan could not read the folder itself. */
export function unreadable({ open: { tree }, row }: KnownFolder): true | undefined {
  return ((tree.kind[row] ?? 0) & FLAG.error) === 0 ? undefined : true;
}
