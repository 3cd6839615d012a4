import { float64At, uint32At } from '../../contract/at.ts';
import { isInside } from '../../contract/roots.ts';
import { baselines } from '../indexes/baselines.ts';
import type { Gone } from '../indexes/changed-folders.ts';
import {
  type FolderSize,
  type GenerationHead,
  generations,
  goneBetween,
  sizesAt,
} from '../indexes/growth-files.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { parentFolder, pathOf } from '../tree/tree-nodes.ts';

export interface Growth {
  /** The folder's row, or undefined if it was deleted. */
  readonly row: number | undefined;
  /** Where it was, if it was deleted. */
  readonly path?: string | undefined;
  readonly id: number;
  readonly before: FolderSize | undefined;
  readonly now: FolderSize | undefined;
  /** Increase in allocated bytes. */
  readonly grown: number;
}

export interface GrowthReport {
  /** The generation to compare with, and when it was scanned. */
  readonly since: { readonly generation: number; readonly scanned_at: number } | undefined;
  /** Largest change first. */
  readonly folders: readonly Growth[];
}

/**
 * The folders in a range of rows that grew or shrank since a time (the latest generation before it), or since the
 * last generation that somebody asked for. A folder whose whole change comes from one folder inside it is left out.
 */
export async function growthSince(
  growthFolder: string,
  tree: Tree,
  range: { readonly from: number; readonly to: number },
  since: number | undefined,
): Promise<GrowthReport> {
  const base = await growthBase(growthFolder, tree.meta.generation, since);
  if (base === undefined) return { since: undefined, folders: [] };
  const before = await sizesAt(growthFolder, base.generation);
  const changed: (Growth & { folder: number })[] = [];
  for (let number = 0; number < tree.dirRow.length; number++) {
    const row = uint32At(tree.dirRow, number);
    const id = uint32At(tree.id, row);
    const was = before.get(id);
    before.delete(id);
    if (row < range.from || row > range.to) continue;
    const now = folderSize(tree, number);
    const grown = now.disk - (was?.disk ?? 0);
    if (grown !== 0) changed.push({ row, id, before: was, now, grown, folder: number });
  }
  const folders: Growth[] = withoutInherited(tree, changed);
  const top = pathOf(tree, range.from);
  for (const [id, path] of topmost(await goneBetween(growthFolder, base.generation, tree.meta.generation))) {
    const was = before.get(id);
    if (was === undefined || !isInside(path, top)) continue;
    folders.push({ row: undefined, path, id, before: was, now: undefined, grown: -was.disk });
  }
  folders.sort((a, b) => Math.abs(b.grown) - Math.abs(a.grown) || a.id - b.id);
  return { since: { generation: base.generation, scanned_at: base.scanned_at }, folders };
}

/**
 * The generation to compare with: the latest one at a time, or else the last one that somebody asked for. Rescans in
 * between do not move it.
 */
export async function growthBase(
  growthFolder: string,
  current: number,
  since: number | undefined,
): Promise<GenerationHead | undefined> {
  const kept = (await generations(growthFolder)).filter(({ generation }) => generation <= current);
  if (since !== undefined) return kept.findLast((one) => one.scanned_at <= since) ?? kept[0];
  const asked = new Map((await baselines(growthFolder)).map((one) => [one.generation, one.scannedAt]));
  const earlier = kept.filter(({ generation }) => generation < current);
  const base =
    earlier.findLast(({ generation }) => asked.has(generation)) ?? earlier.at(asked.size === 0 ? -1 : 0);
  // A later scan may have found it unchanged.
  return base && { ...base, scanned_at: asked.get(base.generation) ?? base.scanned_at };
}

/** Leaves out folders inside a folder that was deleted later, because its size includes them. */
export function topmost(gone: readonly Gone[]): Gone[] {
  const found: Gone[] = [];
  for (const one of [...gone].sort(([, a], [, b]) => (`${a}/` < `${b}/` ? -1 : 1))) {
    const above = found.at(-1);
    if (above === undefined || !isInside(one[1], above[1])) found.push(one);
  }
  return found;
}

/** The totals of a folder now. */
export function folderSize(tree: Tree, folder: number): FolderSize {
  return {
    disk: float64At(tree.dirDisk, folder),
    size: float64At(tree.dirSize, folder),
    files: uint32At(tree.dirAllFiles, folder),
  };
}

/** Leaves out folders whose whole change comes from one folder inside them. */
function withoutInherited(tree: Tree, changed: readonly (Growth & { folder: number })[]): Growth[] {
  const inherited = new Set<number>();
  const byFolder = new Map(changed.map((growth) => [growth.folder, growth.grown]));
  for (const { folder, grown } of changed) {
    const up = parentFolder(tree, folder);
    if (folder !== 0 && byFolder.get(up) === grown) inherited.add(up);
  }
  return changed.filter(({ folder }) => !inherited.has(folder)).map(({ folder, ...growth }) => growth);
}
