import { float64At, uint32At } from '../../contract/at.ts';
import { buildTree } from '../tree/build-tree.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import { type Tree, treeOver } from '../tree/tree-columns.ts';
import { isSure } from '../watch/folder-marks.ts';
import { FACT, factReader } from './file-facts.ts';
import { dirFacts, rootStats, type ScanRequest, scanFull, walkOptions } from './full-scan.ts';
import { relinked } from './hard-links.ts';
import { systemPath } from './raw-text.ts';
import { type DirTask, EARLIER, makeRef } from './scanner-frames.ts';
import { startScanners } from './scanner-pool.ts';
import { knownNames, sweepFolders } from './sweep-folders.ts';

export interface RescanRequest extends ScanRequest {
  readonly earlier: Tree;
  /** What is known about folders, by node id; see watch/folder-marks.ts. */
  readonly marks: Uint8Array;
  /** How long single files may be checked. */
  readonly fileMs: number;
}

export interface Rescanned {
  readonly tree: Tree;
  /** False: nothing changed, so the generation stays the same. */
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
    // The root is another folder now: nothing about the earlier one can be trusted.
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
  // Scanners take a moment to start, so they start while folders are checked, if there are any to check.
  const ahead = allSure(earlier, request.marks) ? undefined : pool(0);
  const { changed, gone, filesChecked, filesUnchecked } = sweepFolders(
    earlier,
    request.marks,
    request.fileMs,
  );
  const tasks = tasksFor(earlier, changed, gone);
  const rest = { foldersRead: tasks.length, filesChecked, filesUnchecked };
  // Every file was checked or is watched.
  const verifiedAt = filesUnchecked === 0 ? startedAt : earlier.meta.verifiedAt;
  if (tasks.length === 0) {
    await ahead?.scan([]);
    const meta = { ...earlier.meta, scannedAt: startedAt, verifiedAt };
    return { tree: treeOver(earlier.buffer, meta), changed: false, ...rest };
  }
  const seen = await (ahead ?? pool(0)).scan(tasks);
  const stages = [...seen.stages];
  const swept = new Map([...changed].map(([folder, facts]) => [folder, dirFacts(facts)]));
  const linked = currentFacts(earlier, relinked(earlier, stages, changed));
  if (linked.size > 0) {
    stages.push(...(await pool(stages.length).scan(tasksFor(earlier, linked, gone))).stages);
    for (const [folder, facts] of linked) swept.set(folder, dirFacts(facts));
  }
  const { report } = seen;
  const tree = buildTree({ root, options, stages, report, earlier, swept, startedAt, verifiedAt, firstId });
  return { tree, changed: true, ...rest, foldersRead: tasks.length + linked.size };
}

/** True if every folder is known to match the index. */
function allSure(tree: Tree, marks: Uint8Array): boolean {
  return tree.dirRow.every((row) => isSure(marks[uint32At(tree.id, row)]));
}

/** The tasks to read folders again; sub-folders that are known are not entered. */
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
        dev: float64At(facts, FACT.dev),
        ino: float64At(facts, FACT.ino),
        depth: path === root ? 0 : path.slice(root.length).split('/').length - 1,
        known: knownNames(tree, folder, gone),
      };
    });
}

/** The current facts about folders, without those that no longer exist. */
function currentFacts(tree: Tree, folders: Iterable<number>): Map<number, Float64Array> {
  const read = factReader();
  const paths = folderPaths(tree);
  const seen = new Map<number, Float64Array>();
  for (const folder of folders) {
    try {
      seen.set(folder, read(systemPath(paths(folder))).slice());
    } catch {
      // Its parent changed after this rescan began; the next one will see it.
    }
  }
  return seen;
}
