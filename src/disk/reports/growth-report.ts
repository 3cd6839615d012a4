import { isInside } from '../../contract/roots.ts';
import { type FolderSize, type Gone, generations, goneBetween, sizesAt } from '../indexes/growth-files.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { pathOf } from '../tree/tree-nodes.ts';

export interface Growth {
  /** The folder's row, or undefined when it is gone. */
  readonly row: number | undefined;
  /** Where it was, when it is gone. */
  readonly path?: string | undefined;
  readonly id: number;
  readonly before: FolderSize | undefined;
  readonly now: FolderSize | undefined;
  /** Allocated bytes more than before. */
  readonly grown: number;
}

export interface GrowthReport {
  /** The generation compared with, and when it was scanned. */
  readonly since: { readonly generation: number; readonly scanned_at: number } | undefined;
  /** Largest change first. */
  readonly folders: readonly Growth[];
}

/**
 * Which folders below a row grew or shrank since a time (the latest generation before it), or since the
 * generation before this one. Folders that only pass on the change of a single folder below are left out.
 */
export async function growthSince(
  folder: string,
  tree: Tree,
  range: { readonly from: number; readonly to: number },
  since: number | undefined,
): Promise<GrowthReport> {
  const kept = (await generations(folder)).filter(({ generation }) => generation < tree.meta.generation);
  const base =
    since === undefined ? kept.at(-1) : (kept.findLast((one) => one.scanned_at <= since) ?? kept[0]);
  if (base === undefined) return { since: undefined, folders: [] };
  const before = await sizesAt(folder, base.generation);
  const changed: (Growth & { folder: number })[] = [];
  for (let number = 0; number < tree.dirRow.length; number++) {
    const row = tree.dirRow[number] ?? 0;
    const id = tree.id[row] ?? 0;
    const was = before.get(id);
    before.delete(id);
    if (row < range.from || row > range.to) continue;
    const now = { disk: tree.dirDisk[number] ?? 0, files: tree.dirAllFiles[number] ?? 0 };
    const grown = now.disk - (was?.disk ?? 0);
    if (grown !== 0) changed.push({ row, id, before: was, now, grown, folder: number });
  }
  const folders: Growth[] = withoutPassedOn(tree, changed);
  const place = pathOf(tree, range.from);
  for (const [id, path] of topmost(await goneBetween(folder, base.generation, tree.meta.generation))) {
    const was = before.get(id);
    if (was === undefined || !isInside(path, place)) continue;
    folders.push({ row: undefined, path, id, before: was, now: undefined, grown: -was.disk });
  }
  folders.sort((a, b) => Math.abs(b.grown) - Math.abs(a.grown) || a.id - b.id);
  return { since: { generation: base.generation, scanned_at: base.scanned_at }, folders };
}

/** Leaves out what lay in a folder that went later: its size is in that folder's. */
function topmost(gone: readonly Gone[]): Gone[] {
  const found: Gone[] = [];
  for (const one of [...gone].sort(([, a], [, b]) => (`${a}/` < `${b}/` ? -1 : 1))) {
    const above = found.at(-1);
    if (above === undefined || !isInside(one[1], above[1])) found.push(one);
  }
  return found;
}

/** Leaves out folders whose whole change is that of one folder in them. */
function withoutPassedOn(tree: Tree, changed: readonly (Growth & { folder: number })[]): Growth[] {
  const passed = new Set<number>();
  const byFolder = new Map(changed.map((growth) => [growth.folder, growth.grown]));
  for (const { folder, grown } of changed) {
    const up = folder === 0 ? -1 : (tree.parent[tree.dirRow[folder] ?? 0] ?? 0);
    if (up >= 0 && byFolder.get(up) === grown) passed.add(up);
  }
  return changed.filter(({ folder }) => !passed.has(folder)).map(({ folder, ...growth }) => growth);
}
