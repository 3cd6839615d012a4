import { Thread } from '../../threads/thread.ts';
import { factReader } from '../scan/file-facts.ts';
import type { Tree, TreeMeta } from '../tree/disk-tree.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { RecheckMethods } from './recheck.worker.ts';
import { sameContent } from './same-content.ts';

export interface RecheckOrder {
  readonly meta: TreeMeta;
  readonly buffer: SharedArrayBuffer;
  readonly folders: readonly number[];
}

/** Folders of the order by number: exactly as in the index, or not. */
export interface Rechecked {
  readonly same: readonly number[];
  readonly differ: readonly number[];
}

/** Fewer nodes than this are looked at here, in slices; a thread of its own would cost more. */
const FEW = 5_000;
const SLICE_MS = 5;

/** Looks at folders and all files in them and tells, piece by piece, which are as in the index. */
export async function recheckFolders(
  tree: Tree,
  { folders, nodes }: { folders: readonly number[]; nodes: number },
  signal: AbortSignal,
  tell: (result: Rechecked) => void,
): Promise<void> {
  if (folders.length === 0) return;
  if (nodes > FEW) return inThread(tree, folders, signal, tell);
  for (const result of recheckSlices(tree, folders, SLICE_MS)) {
    if (signal.aborted) return;
    tell(result);
    await new Promise(setImmediate);
  }
}

/** The same as results of a few milliseconds of work each. */
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
  tell: (result: Rechecked) => void,
): Promise<void> {
  const thread = new Thread<RecheckMethods>(new URL('./recheck.worker.ts', import.meta.url), {
    limits: { maxYoungGenerationSizeMb: 2 },
    endOnCancel: true,
    background: true,
  });
  const order = { meta: tree.meta, buffer: tree.buffer, folders };
  // What it did not get to stays unchecked, and is said to be.
  await thread.once('recheck', order, { signal, onEvent: tell }).catch(() => undefined);
}
