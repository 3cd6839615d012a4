import { buildTree } from '../tree/build-tree.ts';
import { type Tree, treeOver } from '../tree/disk-tree.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import { isSure } from '../watch/folder-marks.ts';
import { FACT, factReader } from './file-facts.ts';
import { dirFacts, rootStats, type ScanRequest, scanFull, walkOptions } from './full-scan.ts';
import { relinked } from './hard-links.ts';
import { systemPath } from './raw-text.ts';
import { type DirTask, EARLIER, makeRef } from './scanner-frames.ts';
import { startScanners } from './scanner-pool.ts';
import { knownNames, sweep } from './sweep-folders.ts';

export interface RescanRequest extends ScanRequest {
  readonly earlier: Tree;
  /** What is known of folders by node id, see watch/marks.ts. */
  readonly marks: Uint8Array;
  /** How long files may be looked at one by one. */
  readonly fileMs: number;
}

export interface Rescanned {
  readonly tree: Tree;
  /** False: the same generation, looked at again. */
  readonly changed: boolean;
  readonly foldersRead: number;
  readonly filesChecked: number;
  /** Files whose content may have changed in place without being noticed. */
  readonly filesUnchecked: number;
}

/** Brings a tree up to date by reading only the folders that changed. */
export async function rescan(request: RescanRequest): Promise<Rescanned> {
  const startedAt = Date.now();
  const { root, options, earlier, signal, firstId } = request;
  const stats = rootStats(root);
  if (stats.ino % 2 ** 32 !== earlier.ino[0]) {
    // Another folder stands at the root: nothing of the earlier one can be trusted.
    const tree = await scanFull(request);
    return { tree, changed: true, foldersRead: tree.meta.dirs, filesChecked: 0, filesUnchecked: 0 };
  }
  const pool = (first: number) =>
    startScanners({
      walk: walkOptions(request, stats.dev),
      signal,
      first,
      ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
      ...(request.scanners === undefined ? {} : { scanners: request.scanners }),
    });
  // Scanners take a moment to start, so they do while folders are looked at; if there is anything to look at.
  const ahead = allSure(earlier, request.marks) ? undefined : pool(0);
  const { changed, gone, filesChecked, filesUnchecked } = sweep(earlier, request.marks, request.fileMs);
  const tasks = tasksFor(earlier, changed, gone);
  const rest = { foldersRead: tasks.length, filesChecked, filesUnchecked };
  // Everything was looked at, or is watched.
  const verifiedAt = filesUnchecked === 0 ? startedAt : earlier.meta.verifiedAt;
  if (tasks.length === 0) {
    await ahead?.scan([]);
    const meta = { ...earlier.meta, scannedAt: startedAt, verifiedAt };
    return { tree: treeOver(earlier.buffer, meta), changed: false, ...rest };
  }
  const seen = await (ahead ?? pool(0)).scan(tasks);
  const stages = [...seen.stages];
  const swept = new Map([...changed].map(([folder, facts]) => [folder, dirFacts(facts)]));
  const linked = looked(earlier, relinked(earlier, stages, changed));
  if (linked.size > 0) {
    stages.push(...(await pool(stages.length).scan(tasksFor(earlier, linked, gone))).stages);
    for (const [folder, facts] of linked) swept.set(folder, dirFacts(facts));
  }
  const { report } = seen;
  const tree = buildTree({ root, options, stages, report, earlier, swept, startedAt, verifiedAt, firstId });
  return { tree, changed: true, ...rest, foldersRead: tasks.length + linked.size };
}

/** True when every folder is known to be as the index has it. */
function allSure(tree: Tree, marks: Uint8Array): boolean {
  return tree.dirRow.every((row) => isSure(marks[tree.id[row] ?? 0]));
}

/** Folders to be read again; sub-folders that are known are not entered. */
function tasksFor(
  tree: Tree,
  folders: ReadonlyMap<number, Float64Array>,
  gone: ReadonlySet<number>,
): DirTask[] {
  const { root } = tree.meta;
  const paths = folderPaths(tree);
  return [...folders]
    .sort(([a], [b]) => a - b)
    .map(([folder, facts]) => {
      const path = paths(folder);
      return {
        ref: makeRef(EARLIER, folder),
        path,
        dev: facts[FACT.dev] ?? 0,
        ino: facts[FACT.ino] ?? 0,
        depth: path === root ? 0 : path.slice(root.length).split('/').length - 1,
        known: knownNames(tree, folder, gone),
      };
    });
}

/** What is seen of folders now; without those that are gone. */
function looked(tree: Tree, folders: Iterable<number>): Map<number, Float64Array> {
  const read = factReader();
  const paths = folderPaths(tree);
  const seen = new Map<number, Float64Array>();
  for (const folder of folders) {
    try {
      seen.set(folder, read(systemPath(paths(folder))).slice());
    } catch {
      // Its parent changed after this rescan began: that is for the next one.
    }
  }
  return seen;
}
