import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { redact } from '../../contract/redact.ts';
import { localTimeText } from '../../contract/zone.ts';
import { type FolderSize, generationChanges, sizesAt } from '../../disk/indexes/growth-files.ts';
import { type FolderChange, folderChanges } from '../../disk/reports/folder-changes.ts';
import { folderSize, growthBase } from '../../disk/reports/growth-report.ts';
import type { Tree } from '../../disk/tree/tree-columns.ts';
import { folderAt, folderId, parentFolder, pathOf, rowOfPath } from '../../disk/tree/tree-nodes.ts';
import { inserter, ROWS_PER_INDEX } from './load-disk.ts';

const NOTHING: FolderSize = { disk: 0, size: 0, files: 0 };

/** A change, and the sizes of its folder including everything below. */
interface SizedChange extends Omit<FolderChange, 'modified' | 'state'> {
  readonly modified: number | null;
  readonly before: number;
  readonly now: number;
}

/**
 * Loads how the folders of an index changed: since the last scan that was requested, as `index` reports it, and before
 * that from scan to scan. A change is shown in the folder where it happened, so the rows of an interval add up.
 */
export async function loadGrowth(
  db: DatabaseSyncInstance,
  index: number,
  tree: Tree,
  growthFolder: string,
  zone: string,
): Promise<void> {
  const clock = localTimeText(zone);
  const time = (ms: number) => clock(Math.floor(ms / 1000));
  const rows = inserter(db, 'growth', 10);
  const add = (change: SizedChange, since: number, until: number) => {
    const row = Math.max(0, rowOfPath(tree, change.path));
    const { path, before, now: after, grown, added, removed, modified } = change;
    rows.add(
      ...[index * ROWS_PER_INDEX + row, redact(path), before, after, grown, added, removed, modified],
      ...[time(since), time(until)],
    );
  };
  const base = await growthBase(growthFolder, tree.meta.generation, undefined);
  if (base !== undefined) {
    for await (const { changes, since, until } of earlierChanges(growthFolder, tree, base.generation))
      for (const change of changes) add(change, since, until);
    const { folders } = await folderChanges(
      growthFolder,
      tree,
      { from: 0, to: tree.meta.nodes - 1 },
      undefined,
    );
    const before = await sizesAt(growthFolder, base.generation);
    for (const change of folders) add(sized(tree, before, change), base.scanned_at, tree.meta.scannedAt);
  }
  rows.end();
}

function sized(tree: Tree, sizes: ReadonlyMap<number, FolderSize>, change: FolderChange): SizedChange {
  const folder = folderOf(tree, change.path);
  if (folder === undefined) return { ...change, before: -change.grown, now: 0 };
  const before = sizes.get(folderId(tree, folder)) ?? NOTHING;
  return { ...change, before: before.size, now: folderSize(tree, folder).size };
}

function folderOf(tree: Tree, path: string): number | undefined {
  const row = rowOfPath(tree, path);
  const folder = row < 0 ? -1 : folderAt(tree, row);
  return folder < 0 ? undefined : folder;
}

/** What changed from scan to scan, up to a generation. */
async function* earlierChanges(growthFolder: string, tree: Tree, upTo: number) {
  const folders = new Map<number, number>();
  for (let folder = 0; folder < tree.meta.dirs; folder++) folders.set(folderId(tree, folder), folder);
  const sizes = new Map<number, FolderSize>();
  let since: number | undefined;
  for await (const { head, sizes: changed, gone } of generationChanges(growthFolder)) {
    if (head.generation > upTo) return;
    if (since !== undefined) {
      const lost = new Map(gone);
      const pathOfId = (id: number) => {
        const folder = folders.get(id);
        return folder === undefined ? lost.get(id) : pathOf(tree, tree.dirRow[folder] ?? 0);
      };
      const parentOf = (id: number) => {
        const folder = folders.get(id);
        const path = lost.get(id);
        const parent =
          folder !== undefined ? parentFolder(tree, folder) : path && folderOf(tree, dirname(path));
        return folder === 0 || typeof parent !== 'number' ? undefined : folderId(tree, parent);
      };
      yield { changes: ownChanges(sizes, changed, pathOfId, parentOf), since, until: head.scanned_at };
    }
    for (const [id, size] of changed) {
      if (size === undefined) sizes.delete(id);
      else sizes.set(id, size);
    }
    since = head.scanned_at;
  }
}

/** Folders with changes of their own; a new or deleted one counts with everything below it. */
function ownChanges(
  before: ReadonlyMap<number, FolderSize>,
  changed: ReadonlyMap<number, FolderSize | undefined>,
  pathOfId: (id: number) => string | undefined,
  parentOf: (id: number) => number | undefined,
): readonly SizedChange[] {
  const own = new Map<number, { size: number; files: number }>();
  const change = (id: number, size: number, files: number) => {
    const known = own.get(id) ?? { size: 0, files: 0 };
    own.set(id, { size: known.size + size, files: known.files + files });
  };
  const isNew = (id: number) => changed.has(id) && !before.has(id);
  for (const [id, after = NOTHING] of changed) {
    const parent = parentOf(id);
    if (pathOfId(id) === undefined || (parent !== undefined && isNew(id) && isNew(parent))) continue;
    const was = before.get(id) ?? NOTHING;
    change(id, after.size - was.size, after.files - was.files);
    if (parent !== undefined) change(parent, was.size - after.size, was.files - after.files);
  }
  return [...own].flatMap(([id, { size, files }]) => {
    const path = pathOfId(id);
    if (path === undefined || (size === 0 && files === 0)) return [];
    const was = before.get(id) ?? NOTHING;
    const after = changed.has(id) ? (changed.get(id) ?? NOTHING) : was;
    const counts = { files, added: Math.max(0, files), removed: Math.max(0, -files), modified: null };
    return [{ path, grown: size, ...counts, before: was.size, now: after.size }];
  });
}
