import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { uint32At } from '../../contract/at.ts';
import { redact } from '../../contract/redact.ts';
import { localTimeText } from '../../contract/zone.ts';
import { generationChanges } from '../../disk/indexes/growth-files.ts';
import type { Tree } from '../../disk/tree/tree-columns.ts';
import { folderId, parentFolder, pathOf } from '../../disk/tree/tree-nodes.ts';
import { inserter, ROWS_PER_INDEX } from './load-disk.ts';

/**
 * Loads how the folders of an index changed from scan to scan. A folder whose whole change comes from one folder inside
 * it is left out, so that a change is shown where it happened.
 */
export async function loadGrowth(
  db: DatabaseSyncInstance,
  index: number,
  tree: Tree,
  growthFolder: string,
  zone: string,
): Promise<void> {
  const base = index * ROWS_PER_INDEX;
  const time = localTimeText(zone);
  const folders = new Map<number, number>();
  for (let folder = 0; folder < tree.meta.dirs; folder++) folders.set(folderId(tree, folder), folder);
  const sizes = new Map<number, number>();
  const rows = inserter(db, 'growth', 7);
  let since: string | undefined;
  for await (const { head, sizes: changed, gone } of generationChanges(growthFolder)) {
    const until = time(Math.floor(head.scanned_at / 1000));
    if (since !== undefined) {
      const deltas = new Map<number, number>();
      for (const [id, size] of changed) deltas.set(id, (size?.disk ?? 0) - (sizes.get(id) ?? 0));
      const inherited = new Set<number>();
      for (const [id, delta] of deltas) {
        const folder = folders.get(id);
        if (folder === undefined || folder === 0) continue;
        const parent = folderId(tree, parentFolder(tree, folder));
        if (deltas.get(parent) === delta) inherited.add(parent);
      }
      const lost = new Map(gone);
      for (const [id, delta] of deltas) {
        const folder = folders.get(id);
        const path = folder === undefined ? lost.get(id) : pathOf(tree, uint32At(tree.dirRow, folder));
        // Folders inside a deleted one count with it.
        if (delta === 0 || path === undefined || inherited.has(id)) continue;
        const node = folder === undefined ? base : base + uint32At(tree.dirRow, folder);
        const before = sizes.get(id) ?? 0;
        rows.add(node, redact(path), before, before + delta, delta, since, until);
      }
    }
    for (const [id, size] of changed) {
      if (size === undefined) sizes.delete(id);
      else sizes.set(id, size.disk);
    }
    since = until;
  }
  rows.end();
}
