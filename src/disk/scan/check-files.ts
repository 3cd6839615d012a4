import type { Tree } from '../tree/disk-tree.ts';
import { filePath, folderPaths } from '../tree/folder-paths.ts';
import { isSure } from '../watch/folder-marks.ts';
import { sameFile } from '../watch/same-content.ts';
import { linkedOutside, otherNames } from './hard-links.ts';
import { FLAG, KIND, KIND_MASK } from './node-kinds.ts';

/** Files changed within this time are likely to change again. */
const HOT_SECONDS = 2 * 86_400;

export interface FilesToCheck {
  readonly tree: Tree;
  readonly marks: Uint8Array;
  /** Folders that are read anew in any case. */
  readonly changed: { has(folder: number): boolean };
  /** Folders that are gone with all below them. */
  readonly gone: ReadonlySet<number>;
  readonly limitMs: number;
  readonly look: (path: string | Buffer) => Float64Array | undefined;
}

export interface CheckedFiles {
  /** Folders that hold a file which is not as in the index. */
  readonly differing: ReadonlySet<number>;
  readonly filesChecked: number;
  /** Files that were not looked at: a change inside those cannot be seen. */
  readonly filesUnchecked: number;
}

/**
 * Looks at files one by one. Without limit: other names of files whose folder changed. As many as the time allows:
 * files that changed lately in folders that are not sure, and those with a name outside the index, through which they
 * can be written unheard.
 */
export function checkFiles({ tree, marks, changed, gone, limitMs, look }: FilesToCheck): CheckedFiles {
  const { meta, kind, mtime, dirRow, dirFiles, id } = tree;
  const hot = meta.scannedAt / 1000 - HOT_SECONDS;
  const outside = linkedOutside(tree);
  const paths = folderPaths(tree);
  const passed = withBelow(tree, gone);
  const differing = new Set<number>();
  let checked = 0;
  let unchecked = 0;
  const differs = (folder: number, file: number): boolean => {
    checked++;
    const facts = look(filePath(tree, file, paths(folder)));
    return facts === undefined || !sameFile(tree, file, facts);
  };
  for (const file of otherNames(tree, { has: (folder) => changed.has(folder) || passed[folder] === 1 })) {
    const folder = tree.parent[file] ?? 0;
    if (differs(folder, file)) differing.add(folder);
  }
  const end = performance.now() + limitMs;
  let late = limitMs <= 0;
  // Another place to begin at each time, so that repeated sweeps reach all files.
  const start = (meta.generation * 7919 + Math.floor(Date.now() / 1000)) % meta.dirs;
  for (let i = 0; i < meta.dirs; i++) {
    const folder = (start + i) % meta.dirs;
    const row = dirRow[folder] ?? 0;
    const sure = isSure(marks[id[row] ?? 0]);
    if ((sure && outside.size === 0) || changed.has(folder) || passed[folder] === 1) continue;
    const last = row + (dirFiles[folder] ?? 0);
    for (let file = row + 1; file <= last; file++) {
      const flags = kind[file] ?? 0;
      if ((flags & KIND_MASK) !== KIND.file || (flags & FLAG.excluded) !== 0) continue;
      if (sure && !outside.has(file)) continue;
      const cold = !sure && (mtime[file] ?? 0) < hot;
      if (!cold && !late && (checked & 63) === 0) late = performance.now() > end;
      if (cold || late) unchecked++;
      else if (differs(folder, file)) differing.add(folder);
    }
  }
  return { differing, filesChecked: checked, filesUnchecked: unchecked };
}

/** 1 for each of these folders and for all folders below them. */
function withBelow(tree: Tree, folders: ReadonlySet<number>): Uint8Array {
  const all = new Uint8Array(tree.meta.dirs);
  for (const folder of folders) all.fill(1, folder, folder + (tree.dirDirs[folder] ?? 0) + 1);
  return all;
}
