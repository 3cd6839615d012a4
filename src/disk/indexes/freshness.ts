import { uint8At, uint32At } from '../../contract/at.ts';
import { agoText, countOf } from '../../contract/format.ts';
import { Lru } from '../../contract/lru.ts';
import { linkedOutside } from '../scan/hard-links.ts';
import { FLAG, NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { isSure, MARK, type Marks } from '../watch/folder-marks.ts';
import type { LoadedTree } from './loaded-trees.ts';

/** How up to date an index is at this moment. */
export interface Freshness {
  /** When folders were checked: earlier changes are in the index, except in unseen files. */
  readonly scannedAt: number;
  /** Folders in which something has changed since. */
  readonly changedFolders: number;
  /** Files whose content may have changed without being noticed. */
  readonly unseenFiles: number;
  /** True: everything is watched, so every change is noticed. */
  readonly watched: boolean;
}

/** Counts what is not sure in a folder; the last rescan of the whole index did not check `lastUnseen` files. */
export function freshnessOf(tree: Tree, marks: Marks, lastUnseen: number, top = 0): Freshness {
  let changedFolders = 0;
  let unsureFolders = 0;
  // These can be written through a name outside the index.
  const linked = top === 0 ? linkedOutside(tree).size : linkedBelow(tree, top);
  let unsureFiles = linked;
  for (let folder = top; folder <= top + uint32At(tree.dirDirs, top); folder++) {
    const row = uint32At(tree.dirRow, folder);
    const bits = marks.get(uint32At(tree.id, row));
    const flags = uint8At(tree.kind, row);
    // Nothing below a depth limit is watched.
    if ((flags & FLAG.tooDeep) !== 0) unsureFolders++;
    if (isSure(bits) || (flags & NOT_ENTERED) !== 0) continue;
    if ((bits & MARK.changed) !== 0) changedFolders++;
    if ((bits & MARK.watched) !== 0 && (bits & MARK.unchecked) === 0) continue;
    unsureFolders++;
    unsureFiles += uint32At(tree.dirFiles, folder);
  }
  const unseenFiles = Math.min(lastUnseen, unsureFiles);
  const { scannedAt } = tree.meta;
  return { scannedAt, changedFolders, unseenFiles, watched: unsureFolders + linked === 0 };
}

/** Folders of an index whose freshness is kept. */
const MAX_KEPT_FOLDERS = 500;

/** The same for a folder of an index in memory, counted once until a mark changes. */
export function keptFreshness(loaded: LoadedTree, lastUnseen: number, folder: number): Freshness {
  const { tree, marks, counted } = loaded;
  const { version } = marks;
  const kept =
    counted?.version === version && counted.unseen === lastUnseen
      ? counted
      : { version, unseen: lastUnseen, folders: new Lru<number, Freshness>({ most: MAX_KEPT_FOLDERS }) };
  loaded.counted = kept;
  const known = kept.folders.get(folder);
  if (known !== undefined) return known;
  const fresh = freshnessOf(tree, marks, lastUnseen, folder);
  kept.folders.set(folder, fresh);
  return fresh;
}

function linkedBelow(tree: Tree, folder: number): number {
  const from = uint32At(tree.dirRow, folder);
  const to = uint32At(tree.dirLast, folder);
  let count = 0;
  for (const row of linkedOutside(tree)) if (row >= from && row <= to) count++;
  return count;
}

/** An index older than this is updated when it is used; sooner if changes were reported. */
const STALE_MS = 10 * 60_000;
const CHANGED_STALE_MS = 60_000;

/** Whether a loaded index should be scanned again in the background. */
export function isStale(
  { watchedSinceScan, rescanStartedAt = Number.NEGATIVE_INFINITY }: LoadedTree,
  { watched, changedFolders, scannedAt }: Freshness,
  now: number,
): boolean {
  if (watched && changedFolders === 0) return false;
  const maxAge = changedFolders > 0 ? CHANGED_STALE_MS : STALE_MS;
  if (watchedSinceScan && now - scannedAt < maxAge) return false;
  return now - rescanStartedAt >= CHANGED_STALE_MS;
}

/**
 * The age of an index in a few words.
 *
 * @example freshnessText(fresh, now) // '5m ago, 3 folders changed since'
 */
export function freshnessText(fresh: Freshness, now: number): string {
  const { scannedAt, changedFolders, unseenFiles, watched } = fresh;
  if (watched && changedFolders === 0) return 'now, every change is seen';
  const parts = [agoText(scannedAt, now)];
  if (changedFolders > 0) parts.push(`${countOf(changedFolders, 'folder')} changed since`);
  if (unseenFiles > 0) parts.push(`${countOf(unseenFiles, 'file')} not checked again`);
  return parts.join(', ');
}

/** The age of what is at a row, for the `meta` of an answer, with the depth limit of the index if it has one. */
export function ageOf(
  { freshAt, tree }: { freshAt(row: number): Freshness; readonly tree: Tree },
  row: number,
  now: number,
): { readonly scanned: string; readonly depth_limit?: number | undefined } {
  const { depthLimit } = tree.meta.options;
  return {
    scanned: freshnessText(freshAt(row), now),
    ...(depthLimit === undefined ? {} : { depth_limit: depthLimit }),
  };
}
