import { diskOf, nameOf, subFolders } from '../tree/nodes.ts';
import { folderPaths } from '../tree/paths.ts';
import type { Tree } from '../tree/tree.ts';
import { ctimeMs, FACT, factReader, isFolder } from './facts.ts';
import { FLAG, KIND, KIND_MASK } from './kinds.ts';

/** A folder that changed within this time before a scan may have changed again without a new time stamp. */
const RACY_MS = 2_000;
/** Files changed within this time are likely to change again. */
const HOT_SECONDS = 2 * 86_400;
const NOT_ENTERED = FLAG.excluded | FLAG.otherFileSystem | FLAG.tooDeep;

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
 * Finds the folders whose content may differ from the index, by change time (which, unlike the modification
 * time, nobody can set back). Names that come, go or move always change it; writing into a file does not, so
 * files that changed lately are looked at as well, as many as the time allows.
 */
export function sweep(tree: Tree, suspects: ReadonlySet<number>, fileMs: number): Sweep {
  const changed = new Map<number, Float64Array>();
  const gone = new Set<number>();
  const paths = folderPaths(tree);
  const racy = tree.meta.scannedAt - RACY_MS;
  const { dirRow, dirTime, dirDirs, kind, ino } = tree;
  for (let folder = 0; folder < dirRow.length; folder++) {
    const row = dirRow[folder] ?? 0;
    const flags = kind[row] ?? 0;
    if ((flags & NOT_ENTERED) !== 0) continue;
    const facts = look(paths(folder));
    if (facts === undefined || (facts[FACT.ino] ?? 0) % 2 ** 32 !== ino[row] || !isFolder(facts)) {
      gone.add(folder);
      folder += dirDirs[folder] ?? 0;
      continue;
    }
    const time = dirTime[folder] ?? 0;
    if (ctimeMs(facts) !== time || time >= racy || (flags & FLAG.error) !== 0 || suspects.has(folder)) {
      changed.set(folder, facts.slice());
    }
  }
  for (const folder of gone) {
    const up = tree.parent[dirRow[folder] ?? 0] ?? 0;
    const facts = changed.has(up) ? undefined : look(paths(up));
    if (facts !== undefined) changed.set(up, facts.slice());
  }
  const files = checkFiles(tree, changed, paths, fileMs);
  return { changed, gone, ...files };
}

/** The names of sub-folders that need not be entered again. */
export function knownNames(tree: Tree, folder: number, gone: ReadonlySet<number>): string[] {
  const names: string[] = [];
  for (const sub of subFolders(tree, folder)) {
    const row = tree.dirRow[sub] ?? 0;
    if (!gone.has(sub) && ((tree.kind[row] ?? 0) & FLAG.error) === 0) names.push(nameOf(tree, row));
  }
  return names;
}

function checkFiles(
  tree: Tree,
  changed: Map<number, Float64Array>,
  paths: (folder: number) => string,
  limitMs: number,
) {
  const { meta, kind, mtime, size, parent } = tree;
  const end = performance.now() + limitMs;
  const hot = meta.scannedAt / 1000 - HOT_SECONDS;
  const rows = meta.nodes;
  // Another place to begin at each time, so that repeated sweeps reach all files.
  const start = (meta.generation * 7919 + Math.floor(Date.now() / 1000)) % Math.max(1, rows);
  let checked = 0;
  let files = 0;
  for (let i = 0; i < rows; i++) {
    const row = (start + i) % rows;
    if (((kind[row] ?? 0) & KIND_MASK) !== KIND.file) continue;
    files++;
    if ((mtime[row] ?? 0) < hot) continue;
    if ((checked & 63) === 0 && performance.now() > end) continue;
    const folder = parent[row] ?? 0;
    if (changed.has(folder)) continue;
    checked++;
    const facts = look(`${paths(folder)}/${nameOf(tree, row)}`);
    const same =
      facts !== undefined &&
      facts[FACT.size] === size[row] &&
      facts[FACT.mtimeS] === mtime[row] &&
      (facts[FACT.blocks] ?? 0) * 512 === diskOf(tree, row);
    if (same) continue;
    const around = look(paths(folder));
    if (around !== undefined) changed.set(folder, around.slice());
  }
  return { filesChecked: checked, filesUnchecked: files - checked };
}

const read = factReader();

/** The numbers are valid until the next call. */
function look(path: string): Float64Array | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
