import { Thread } from '../../threads/thread.ts';
import { factReader } from '../scan/file-facts.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { Tree, TreeMeta } from '../tree/tree-columns.ts';
import type { RecheckMethods } from './recheck.worker.ts';
import { sameContent } from './same-content.ts';

export interface RecheckOrder {
  readonly meta: TreeMeta;
  readonly buffer: SharedArrayBuffer;
  readonly folders: readonly number[];
}

/** Numbers of folders that match the index, and of folders that differ. */
export interface Rechecked {
  readonly same: readonly number[];
  readonly differ: readonly number[];
}

/** Up to this many nodes are checked here, in slices; a thread would cost more. */
const MAX_NODES_IN_PROCESS = 5_000;
const SLICE_MS = 5;

/** Checks folders and all files in them, and reports piece by piece which of them match the index. */
export async function recheckFolders(
  tree: Tree,
  { folders, nodes }: { folders: readonly number[]; nodes: number },
  signal: AbortSignal,
  report: (result: Rechecked) => void,
): Promise<void> {
  if (folders.length === 0) return;
  if (nodes > MAX_NODES_IN_PROCESS) return inThread(tree, folders, signal, report);
  for (const result of recheckSlices(tree, folders, SLICE_MS)) {
    if (signal.aborted) return;
    report(result);
    await new Promise(setImmediate);
  }
}

/** Checks folders in slices of a few milliseconds; yields a result per slice. */
export function* recheckSlices(
  tree: Tree,
  folders: readonly number[],
  sliceMs: number,
): Generator<Rechecked> {
  const paths = folderPaths(tree);
  const read = factReader();
  let result: { same: number[]; differ: number[] } = { same: [], differ: [] };
  let end = performance.now() + sliceMs;
  for (const folder of folders) {
    (sameContent(tree, folder, paths(folder), read) ? result.same : result.differ).push(folder);
    if (performance.now() < end) continue;
    yield result;
    result = { same: [], differ: [] };
    end = performance.now() + sliceMs;
  }
  yield result;
}

async function inThread(
  tree: Tree,
  folders: readonly number[],
  signal: AbortSignal,
  report: (result: Rechecked) => void,
): Promise<void> {
  const thread = new Thread<RecheckMethods>(new URL('./recheck.worker.ts', import.meta.url), {
    limits: { maxYoungGenerationSizeMb: 2 },
    endOnCancel: true,
    background: true,
  });
  const order = { meta: tree.meta, buffer: tree.buffer, folders };
  // Folders that it did not reach stay unchecked, and are reported as such.
  await thread.once('recheck', order, { signal, onEvent: report }).catch(() => undefined);
}
