import { uint8At, uint32At } from '../../contract/at.ts';
import { filePath, folderPaths } from '../tree/folder-paths.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { isSure } from '../watch/folder-marks.ts';
import { sameFile } from '../watch/same-content.ts';
import { linkedOutside, otherNames } from './hard-links.ts';
import { FLAG, KIND, KIND_MASK } from './node-kinds.ts';

/** Files that changed within this time are likely to change again. */
const RECENT_SECONDS = 2 * 86_400;
/** With at least this much time, files that have not changed for long are checked too. */
const THOROUGH_MS = 1_500;

export interface FilesToCheck {
  readonly tree: Tree;
  readonly marks: Uint8Array;
  /** Folders that are read again in any case. */
  readonly changed: { has(folder: number): boolean };
  /** Folders that no longer exist, like everything below them. */
  readonly gone: ReadonlySet<number>;
  readonly limitMs: number;
  readonly factsAt: (path: string | Buffer) => Float64Array | undefined;
}

export interface CheckedFiles {
  /** Folders with a file that differs from the index. */
  readonly differing: ReadonlySet<number>;
  readonly filesChecked: number;
  /** Files that were not checked: a change inside them is not noticed. */
  readonly filesUnchecked: number;
}

/**
 * Checks single files. All of them: the other names of files whose folder changed. As many as time allows: files that
 * changed recently (with much time: all files) in folders that are not sure, and files with a name outside the index, through which they can be
 * written without an event.
 */
export function checkFiles({ tree, marks, changed, gone, limitMs, factsAt }: FilesToCheck): CheckedFiles {
  const { meta, kind, mtime, dirRow, dirFiles, id } = tree;
  const recent = meta.scannedAt / 1000 - RECENT_SECONDS;
  const outside = linkedOutside(tree);
  const paths = folderPaths(tree);
  const skipped = withBelow(tree, gone);
  const differing = new Set<number>();
  let checked = 0;
  let unchecked = 0;
  const differs = (folder: number, file: number): boolean => {
    checked++;
    const facts = factsAt(filePath(tree, file, paths(folder)));
    return facts === undefined || !sameFile(tree, file, facts);
  };
  for (const file of otherNames(tree, { has: (folder) => changed.has(folder) || skipped[folder] === 1 })) {
    const folder = uint32At(tree.parent, file);
    if (differs(folder, file)) differing.add(folder);
  }
  const end = performance.now() + limitMs;
  let late = limitMs <= 0;
  // Starts at another folder each time, so that repeated sweeps reach all files.
  const start = (meta.generation * 7919 + Math.floor(Date.now() / 1000)) % meta.dirs;
  for (let i = 0; i < meta.dirs; i++) {
    const folder = (start + i) % meta.dirs;
    const row = uint32At(dirRow, folder);
    const sure = isSure(marks[uint32At(id, row)]);
    if ((sure && outside.size === 0) || changed.has(folder) || skipped[folder] === 1) continue;
    const last = row + uint32At(dirFiles, folder);
    for (let file = row + 1; file <= last; file++) {
      const flags = uint8At(kind, file);
      if ((flags & KIND_MASK) !== KIND.file || (flags & FLAG.excluded) !== 0) continue;
      if (sure && !outside.has(file)) continue;
      const old = !sure && limitMs < THOROUGH_MS && uint32At(mtime, file) < recent;
      if (!old && !late && (checked & 63) === 0) late = performance.now() > end;
      if (old || late) unchecked++;
      else if (differs(folder, file)) differing.add(folder);
    }
  }
  return { differing, filesChecked: checked, filesUnchecked: unchecked };
}

/** 1 for each of these folders and for all folders below them. */
function withBelow(tree: Tree, folders: ReadonlySet<number>): Uint8Array {
  const all = new Uint8Array(tree.meta.dirs);
  for (const folder of folders) all.fill(1, folder, folder + uint32At(tree.dirDirs, folder) + 1);
  return all;
}
