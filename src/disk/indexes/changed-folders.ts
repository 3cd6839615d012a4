import { float64At, uint32At } from '../../contract/at.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderId, parentFolder, pathOf } from '../tree/tree-nodes.ts';

/** A deleted folder: its node id and where it was. The folders inside it are not listed. */
export type Gone = readonly [id: number, path: string];

/** Folders and their sizes as columns, because there can be hundreds of thousands. */
export interface Columns {
  readonly ids: Uint32Array;
  readonly files: Uint32Array;
  readonly disk: Float64Array;
  readonly size: Float64Array;
  readonly gone: readonly Gone[];
}

/** Folders whose totals differ between two trees. */
export function changedFolders(earlier: Tree | undefined, tree: Tree): Columns {
  // Indexed by id: ids have no large gaps.
  const before = new Float64Array(earlier === undefined ? 0 : tree.meta.nextId).fill(-1);
  const filesBefore = new Uint32Array(before.length);
  const sizeBefore = new Float64Array(before.length);
  const ids: number[] = [];
  const files: number[] = [];
  const disk: number[] = [];
  const size: number[] = [];
  const gone: Gone[] = [];
  // By then, the sizes of the folders that still exist have been replaced by -1.
  const isGone = (id: number) => float64At(before, id) >= 0;
  for (let folder = 0; folder < (earlier?.meta.dirs ?? 0) && earlier; folder++) {
    const id = folderId(earlier, folder);
    before[id] = float64At(earlier.dirDisk, folder);
    filesBefore[id] = uint32At(earlier.dirAllFiles, folder);
    sizeBefore[id] = float64At(earlier.dirSize, folder);
  }
  const put = (id: number, folderFiles: number, folderDisk: number, folderSize: number) => {
    ids.push(id);
    files.push(folderFiles);
    disk.push(folderDisk);
    size.push(folderSize);
  };
  for (let folder = 0; folder < tree.meta.dirs; folder++) {
    const id = folderId(tree, folder);
    const nowDisk = float64At(tree.dirDisk, folder);
    const nowFiles = uint32At(tree.dirAllFiles, folder);
    const nowSize = float64At(tree.dirSize, folder);
    if (before[id] !== nowDisk || filesBefore[id] !== nowFiles || sizeBefore[id] !== nowSize)
      put(id, nowFiles, nowDisk, nowSize);
    before[id] = -1;
  }
  for (let folder = 0; folder < (earlier?.meta.dirs ?? 0) && earlier; folder++) {
    const id = folderId(earlier, folder);
    if (!isGone(id)) continue;
    put(id, 0, -1, 0);
    const row = uint32At(earlier.dirRow, folder);
    if (folder === 0 || !isGone(folderId(earlier, parentFolder(earlier, folder))))
      gone.push([id, pathOf(earlier, row)]);
  }
  return {
    ids: Uint32Array.from(ids),
    files: Uint32Array.from(files),
    disk: Float64Array.from(disk),
    size: Float64Array.from(size),
    gone,
  };
}
