import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { parentFolder, rawNameOf, subFolders } from '../tree/tree-nodes.ts';
import { isSure, MARK, marksOf } from '../watch/folder-marks.ts';
import { RACY_MS, sameFolder } from '../watch/same-content.ts';
import { checkFiles } from './check-files.ts';
import { ctimeMs, factReader } from './file-facts.ts';
import { FLAG, NOT_ENTERED } from './node-kinds.ts';
import { systemPath } from './raw-text.ts';

export interface Sweep {
  /** Folders to read again, with their facts from just before. */
  readonly changed: ReadonlyMap<number, Float64Array>;
  /** Folders that no longer exist, or that another folder has replaced. */
  readonly gone: ReadonlySet<number>;
  /** Files that were checked one by one, and files that were not: a change inside the latter is not noticed. */
  readonly filesChecked: number;
  readonly filesUnchecked: number;
}

/**
 * Finds the folders whose content may differ from the index. For watched folders this is known. For the others the
 * change time decides, which unlike the modification time nobody can set back: adding, removing or renaming an entry
 * always changes it. Writing into a file does not, so files that changed recently are checked too, as time allows.
 */
export function sweepFolders(tree: Tree, marks: Uint8Array, fileMs: number): Sweep {
  const changed = new Map<number, Float64Array>();
  const gone = new Set<number>();
  const paths = folderPaths(tree);
  const racy = tree.meta.scannedAt - RACY_MS;
  const { dirRow, dirTime, dirDirs, kind, id } = tree;
  for (let folder = 0; folder < dirRow.length; folder++) {
    const row = uint32At(dirRow, folder);
    const flags = uint8At(kind, row);
    const bits = marksOf(marks, uint32At(id, row));
    const sure = isSure(bits) && (flags & FLAG.error) === 0;
    // Only the parent shows for certain that another folder took its place: the system reports the end of a folder
    // when the last process that has it open closes it.
    if ((flags & NOT_ENTERED) !== 0 || (sure && !changed.has(uint32At(tree.parent, row)))) continue;
    const facts = factsAt(systemPath(paths(folder)));
    if (facts === undefined || !sameFolder(tree, folder, facts)) {
      gone.add(folder);
      folder += uint32At(dirDirs, folder);
      continue;
    }
    const time = float64At(dirTime, folder);
    const doubtful = time >= racy || (flags & FLAG.error) !== 0 || (bits & MARK.changed) !== 0;
    if (ctimeMs(facts) !== time || (doubtful && !sure)) changed.set(folder, facts.slice());
  }
  for (const folder of gone) {
    const up = parentFolder(tree, folder);
    const facts = changed.has(up) ? undefined : factsAt(systemPath(paths(up)));
    if (facts !== undefined) changed.set(up, facts.slice());
  }
  const { differing, ...files } = checkFiles({ tree, marks, changed, gone, limitMs: fileMs, factsAt });
  for (const folder of differing) {
    const facts = factsAt(systemPath(paths(folder)));
    if (facts !== undefined) changed.set(folder, facts.slice());
  }
  return { changed, gone, ...files };
}

/** The names of sub-folders, as raw text, that need not be entered again. */
export function knownNames(tree: Tree, folder: number, gone: ReadonlySet<number>): string[] {
  const names: string[] = [];
  for (const sub of subFolders(tree, folder)) {
    const row = uint32At(tree.dirRow, sub);
    if (!gone.has(sub) && (uint8At(tree.kind, row) & FLAG.error) === 0) names.push(rawNameOf(tree, row));
  }
  return names;
}

const read = factReader();

/** The facts about a path, valid until the next call; undefined if it cannot be read. */
function factsAt(path: string | Buffer): Float64Array | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
