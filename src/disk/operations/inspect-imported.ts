import { fail } from '../../contract/errors.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import type { OpenIndex } from '../indexes.ts';
import type { Kind } from '../live.ts';
import { kindName } from '../scan/kinds.ts';
import { diskOf, folderAt, pathOf } from '../tree/nodes.ts';

/** What is known of a node whose index was imported. */
export interface ImportedDetail {
  readonly imported: true;
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
  readonly index_id: string;
  readonly node_id: string;
  readonly scanned: string;
  readonly total?:
    | { readonly size: number; readonly disk_size: number; readonly files: number; readonly dirs: number }
    | undefined;
}

/** Facts on a node of an imported index, from the index alone: a path of the same name here is another file. */
export function importedDetail(
  { row: index, tree }: OpenIndex,
  row: number,
  digest: boolean | undefined,
): ImportedDetail {
  if (digest) fail('invalid_parameter', 'digest: this index was imported, the file is not here.');
  const folder = folderAt(tree, row);
  const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    imported: true,
    path: pathOf(tree, row),
    kind: kindName(tree.kind[row] ?? 0),
    size: tree.size[row] ?? 0,
    disk_size: diskOf(tree, row),
    modified_at: iso((tree.mtime[row] ?? 0) * 1000),
    index_id: indexHandle(index.id),
    node_id: nodeHandle(tree.id[row] ?? 0),
    scanned: `${iso(tree.meta.scannedAt)}, elsewhere`,
    total:
      folder < 0
        ? undefined
        : {
            size: tree.dirSize[folder] ?? 0,
            disk_size: tree.dirDisk[folder] ?? 0,
            files: tree.dirAllFiles[folder] ?? 0,
            dirs: tree.dirDirs[folder] ?? 0,
          },
  };
}
