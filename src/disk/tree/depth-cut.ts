import { FLAG } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import type { Tree } from './disk-tree.ts';
import type { Listings } from './listings.ts';
import { linkKey } from './row-writer.ts';
import { lowerBound } from './tree-nodes.ts';

/** A name, below a depth limit, of a file that has several. */
export interface CutLink {
  /** The folder at the limit, by its number in the new tree. */
  readonly folder: number;
  readonly key: number;
  readonly size: number;
  readonly disk: number;
}

/**
 * Adds everything below a folder at the depth limit to its totals, since no rows of it are kept: sizes, files, errors
 * and the latest change. Each file counts once in the folder; its names are returned, since it may have more elsewhere.
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
      const bytes = view.size[at] ?? 0;
      const allocated = 512 * (view.blocks[at] ?? 0);
      newest = Math.max(newest, view.mtime[at] ?? 0);
      if (((view.kind[at] ?? 0) & FLAG.linked) !== 0) {
        const link = lowerBound(view.linkAt, at, view.linkAt.length);
        const key = linkKey(view.linkDev[link] ?? 0, view.linkIno[link] ?? 0);
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
