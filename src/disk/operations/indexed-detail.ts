import { z } from 'zod';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { momentText } from '../../contract/format.ts';
import type { ReadonlyData } from '../../contract/operation.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import { kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, folderAt, pathOf, textPathOf } from '../tree/tree-nodes.ts';
import { depth_limit, dirs, disk_size, files, size } from './data-fields.ts';

/** Everything below a folder. */
export const totalBelowSchema = z.object({ size, disk_size, files, dirs, depth_limit });

/** The totals of a folder. */
export function totalBelow(tree: Tree, folder: number): ReadonlyData<typeof totalBelowSchema> {
  return {
    size: float64At(tree.dirSize, folder),
    disk_size: float64At(tree.dirDisk, folder),
    files: uint32At(tree.dirAllFiles, folder),
    dirs: uint32At(tree.dirDirs, folder),
    depth_limit: tree.meta.options.depthLimit,
  };
}

/** PATH_MAX, less the final zero byte. */
const MAX_PATH_BYTES = 4_095;

/** Why the file of a node cannot be opened by its path; undefined if it can. */
export function whyUnreachable({ tree }: OpenIndex, row: number): string | undefined {
  if (tree.meta.options.imported) return 'this index was imported; the file is not here';
  const path = textPathOf(tree, row);
  if (path === undefined) return 'its path is not valid UTF-8';
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? 'its path is longer than the system allows' : undefined;
}

/** Facts about a node from the index alone, where the file itself cannot be opened. */
export function indexedDetail(open: OpenIndex, row: number, now: number) {
  const { row: index, tree, fresh } = open;
  const imported = tree.meta.options.imported === true;
  const folder = folderAt(tree, row);
  return {
    imported: imported ? (true as const) : undefined,
    path: pathOf(tree, row),
    kind: kindName(uint8At(tree.kind, row)),
    size: float64At(tree.size, row),
    disk_size: diskOf(tree, row),
    modified_at: momentText(uint32At(tree.mtime, row) * 1000),
    index_id: indexHandle(index.id),
    node_id: nodeHandle(uint32At(tree.id, row)),
    scanned: imported ? `${momentText(tree.meta.scannedAt)}, elsewhere` : freshnessText(fresh, now),
    total: folder < 0 ? undefined : totalBelow(tree, folder),
  };
}
