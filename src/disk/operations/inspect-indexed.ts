import { momentText } from '../../contract/format.ts';
import type { Kind } from '../browse/read-folder.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import { kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, folderAt, pathOf, textPathOf } from '../tree/tree-nodes.ts';

/** Everything below a folder. */
export interface TotalBelow {
  readonly size: number;
  readonly disk_size: number;
  readonly files: number;
  readonly dirs: number;
  /** Sizes and files are of everything; folders are counted down to this depth of the index. */
  readonly depth_limit?: number | undefined;
}

/** The totals of a folder. */
export function totalBelow(tree: Tree, folder: number): TotalBelow {
  return {
    size: tree.dirSize[folder] ?? 0,
    disk_size: tree.dirDisk[folder] ?? 0,
    files: tree.dirAllFiles[folder] ?? 0,
    dirs: tree.dirDirs[folder] ?? 0,
    depth_limit: tree.meta.options.depthLimit,
  };
}

/** What the index alone knows of a node. */
export interface IndexedDetail {
  readonly imported?: true | undefined;
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
  readonly index_id: string;
  readonly node_id: string;
  readonly scanned: string;
  readonly total?: TotalBelow | undefined;
}

/** The longest path that a system call takes. */
const LONGEST_PATH = 4_095;

/** Why the file behind a node cannot be looked at, if so: by its path it would be another one, or none. */
export function outOfReach({ tree }: OpenIndex, row: number): string | undefined {
  if (tree.meta.options.imported) return 'this index was imported, the file is not here';
  const path = textPathOf(tree, row);
  if (path === undefined) return 'its path is no valid text';
  return Buffer.byteLength(path) > LONGEST_PATH ? 'its path is longer than the system allows' : undefined;
}

/** Facts on a node from the index alone, where the file itself is out of reach. */
export function indexedDetail(open: OpenIndex, row: number, now: number): IndexedDetail {
  const { row: index, tree, fresh } = open;
  const { imported } = tree.meta.options;
  const folder = folderAt(tree, row);
  return {
    imported: imported || undefined,
    path: pathOf(tree, row),
    kind: kindName(tree.kind[row] ?? 0),
    size: tree.size[row] ?? 0,
    disk_size: diskOf(tree, row),
    modified_at: momentText((tree.mtime[row] ?? 0) * 1000),
    index_id: indexHandle(index.id),
    node_id: nodeHandle(tree.id[row] ?? 0),
    scanned: imported ? `${momentText(tree.meta.scannedAt)}, elsewhere` : freshnessText(fresh, now),
    total: folder < 0 ? undefined : totalBelow(tree, folder),
  };
}
