import type { Tree } from '../tree/disk-tree.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import { rawNameOf, subFolders } from '../tree/tree-nodes.ts';
import { isSure, MARK } from '../watch/folder-marks.ts';
import { RACY_MS, sameFolder } from '../watch/same-content.ts';
import { checkFiles } from './check-files.ts';
import { ctimeMs, factReader } from './file-facts.ts';
import { FLAG, NOT_ENTERED } from './node-kinds.ts';
import { systemPath } from './raw-text.ts';

export interface Sweep {
  /** Folders to read anew, with what was seen of them just before. */
  readonly changed: ReadonlyMap<number, Float64Array>;
  /** Folders that are no longer the same one at their place. */
  readonly gone: ReadonlySet<number>;
  /** Files looked at one by one, and files not looked at: a change inside those cannot be seen. */
  readonly filesChecked: number;
  readonly filesUnchecked: number;
}

/**
 * Finds the folders whose content may differ from the index. Of watched folders it is known. Of the others the change
 * time tells (which, unlike the modification time, nobody can set back): names that come, go or move always change
 * it; writing into a file does not, so files that changed lately are looked at as well, as many as the time allows.
 */
export function sweep(tree: Tree, marks: Uint8Array, fileMs: number): Sweep {
  const changed = new Map<number, Float64Array>();
  const gone = new Set<number>();
  const paths = folderPaths(tree);
  const racy = tree.meta.scannedAt - RACY_MS;
  const { dirRow, dirTime, dirDirs, kind, id } = tree;
  for (let folder = 0; folder < dirRow.length; folder++) {
    const row = dirRow[folder] ?? 0;
    const flags = kind[row] ?? 0;
    const bits = marks[id[row] ?? 0] ?? 0;
    const sure = isSure(bits) && (flags & FLAG.error) === 0;
    // That another folder stands at its place is certain only from the parent: the system tells of the end of a
    // folder when the last who holds it lets go.
    if ((flags & NOT_ENTERED) !== 0 || (sure && !changed.has(tree.parent[row] ?? 0))) continue;
    const facts = look(systemPath(paths(folder)));
    if (facts === undefined || !sameFolder(tree, folder, facts)) {
      gone.add(folder);
      folder += dirDirs[folder] ?? 0;
      continue;
    }
    const time = dirTime[folder] ?? 0;
    const doubtful = time >= racy || (flags & FLAG.error) !== 0 || (bits & MARK.heard) !== 0;
    if (ctimeMs(facts) !== time || (doubtful && !sure)) changed.set(folder, facts.slice());
  }
  for (const folder of gone) {
    const up = tree.parent[dirRow[folder] ?? 0] ?? 0;
    const facts = changed.has(up) ? undefined : look(systemPath(paths(up)));
    if (facts !== undefined) changed.set(up, facts.slice());
  }
  const { differing, ...files } = checkFiles({ tree, marks, changed, gone, limitMs: fileMs, look });
  for (const folder of differing) {
    const facts = look(systemPath(paths(folder)));
    if (facts !== undefined) changed.set(folder, facts.slice());
  }
  return { changed, gone, ...files };
}

/** The names, as raw text, of sub-folders that need not be entered again. */
export function knownNames(tree: Tree, folder: number, gone: ReadonlySet<number>): string[] {
  const names: string[] = [];
  for (const sub of subFolders(tree, folder)) {
    const row = tree.dirRow[sub] ?? 0;
    if (!gone.has(sub) && ((tree.kind[row] ?? 0) & FLAG.error) === 0) names.push(rawNameOf(tree, row));
  }
  return names;
}

const read = factReader();

/** The numbers are valid until the next call. */
function look(path: string | Buffer): Float64Array | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
