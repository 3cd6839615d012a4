import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import type { Listings } from './listings.ts';
import { linkKey } from './row-writer.ts';
import type { Tree } from './tree-columns.ts';
import { lowerBound } from './tree-nodes.ts';

/** A hard link below the depth limit. */
export interface CutLink {
  /** The number, in the new tree, of the folder at the limit. */
  readonly folder: number;
  readonly key: number;
  readonly size: number;
  readonly disk: number;
}

/**
 * Adds everything below a folder at the depth limit to the folder's totals, because no rows are kept for it: sizes,
 * files, errors and the latest change. A file with several names counts once; its names are returned, because it may
 * have more of them elsewhere.
 */
export function addCut(
  listings: Listings,
  listing: number,
  tree: Tree,
  folder: number,
  errors: Uint32Array,
): CutLink[] {
  const links = new Map<number, CutLink>();
  const waiting = [listing];
  let size = 0;
  let disk = 0;
  let files = 0;
  let newest = 0;
  let failed = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { chunk, first, files: count, dirs, errors: unread, firstDir } = listings.get(next);
    const { view } = chunk;
    files += count;
    failed += unread;
    for (let at = first; at < first + count + dirs; at++) {
      const bytes = float64At(view.size, at);
      const allocated = 512 * float64At(view.blocks, at);
      newest = Math.max(newest, uint32At(view.mtime, at));
      if ((uint8At(view.kind, at) & FLAG.linked) !== 0) {
        const link = lowerBound(view.linkAt, at, view.linkAt.length);
        const key = linkKey(float64At(view.linkDev, link), float64At(view.linkIno, link));
        if (links.has(key)) continue;
        links.set(key, { folder, key, size: bytes, disk: allocated });
      }
      size += bytes;
      disk += allocated;
    }
    for (let i = 0; i < dirs; i++) {
      const below = listings.ofDir(firstDir + i);
      if (below >= 0) waiting.push(below);
    }
  }
  tree.dirSize[folder] = capped(size);
  tree.dirDisk[folder] = capped(disk);
  tree.dirAllFiles[folder] = files;
  tree.dirNewest[folder] = newest;
  errors[folder] = failed;
  return [...links.values()];
}
