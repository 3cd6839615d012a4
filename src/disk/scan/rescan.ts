import { buildTree } from '../tree/build.ts';
import { folderAt, rowOfId } from '../tree/nodes.ts';
import { folderPaths } from '../tree/paths.ts';
import { type Tree, treeOver } from '../tree/tree.ts';
import { FACT } from './facts.ts';
import { dirFacts, rootStats, type ScanRequest, scanFull, walkOptions } from './full.ts';
import { startScanners } from './pool.ts';
import { knownNames, sweep } from './sweep.ts';
import { EARLIER, makeRef } from './wire.ts';

export interface RescanRequest extends ScanRequest {
  readonly earlier: Tree;
  /** Node ids of folders that something was heard of, such as from a watcher. */
  readonly suspects: readonly number[];
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
  const scanners = startScanners({
    walk: walkOptions(request, stats.dev),
    signal,
    ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
    ...(request.scanners === undefined ? {} : { scanners: request.scanners }),
  });
  const suspects = new Set(request.suspects.map((id) => folderAt(earlier, rowOfId(earlier, id))));
  const { changed, gone, filesChecked, filesUnchecked } = sweep(earlier, suspects, request.fileMs);
  const paths = folderPaths(earlier);
  const tasks = [...changed]
    .sort(([a], [b]) => a - b)
    .map(([folder, facts]) => {
      const path = paths(folder);
      const depth = path === root ? 0 : path.slice(root.length).split('/').length - 1;
      return {
        ref: makeRef(EARLIER, folder),
        path,
        dev: facts[FACT.dev] ?? 0,
        ino: facts[FACT.ino] ?? 0,
        depth,
        known: knownNames(earlier, folder, gone),
      };
    });
  const { stages, report } = await scanners.scan(tasks);
  const rest = { foldersRead: tasks.length, filesChecked, filesUnchecked };
  if (tasks.length === 0) {
    const meta = { ...earlier.meta, scannedAt: startedAt };
    return { tree: treeOver(earlier.buffer, meta), changed: false, ...rest };
  }
  const swept = new Map([...changed].map(([folder, facts]) => [folder, dirFacts(facts)]));
  const { verifiedAt } = earlier.meta;
  const tree = buildTree({ root, options, stages, report, earlier, swept, startedAt, verifiedAt, firstId });
  return { tree, changed: true, ...rest };
}
