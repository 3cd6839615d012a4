import type { Listing, Stage } from '../scan/stage.ts';
import { EARLIER, refScanner, refSequence } from '../scan/wire.ts';
import { indexOfSorted, lowerBound, subFolders } from './nodes.ts';
import { sameName } from './same-name.ts';
import type { Tree } from './tree.ts';

/** Where the entries of a folder of the new tree come from. */
export type Source =
  | { readonly from: 'stage'; readonly stage: number; readonly listing: Listing }
  | { readonly from: 'earlier'; readonly folder: number }
  | { readonly from: 'nothing' };

/** One folder of the new tree, or a whole unchanged part of the earlier one. Items are in preorder. */
export interface BuildItem {
  /** Where the folder's own row comes from: an entry of a stage, or the earlier tree (`stage` -1). */
  readonly stage: number;
  readonly at: number;
  readonly source: Source;
  /** The same folder in the earlier tree, or -1. */
  readonly counterpart: number;
  /** Number of the parent folder in the new tree. */
  readonly parent: number;
  /** True: take the counterpart with everything below it as it is. */
  readonly whole: boolean;
}

/** The listings of all stages, found by the folder they belong to. */
export interface ListingIndex {
  of(stage: number, sequence: number): Source | undefined;
  ofEarlier(folder: number): Source | undefined;
  /** Folders of the earlier tree that were read anew, ascending. */
  readonly reread: Uint32Array;
}

export function indexListings(stages: readonly Stage[]): ListingIndex {
  // For each folder entry of a stage: stage × 2^27 + listing number + 1, or 0.
  const byDir = stages.map((stage) => new Float64Array(stage.dirs));
  const byEarlier = new Map<number, Source>();
  stages.forEach((stage, number) => {
    for (let i = 0; i < stage.listings; i++) {
      const ref = stage.listing[i * 5] ?? 0;
      const scanner = refScanner(ref);
      const sequence = refSequence(ref);
      if (scanner === EARLIER)
        byEarlier.set(sequence, { from: 'stage', stage: number, listing: stage.listingAt(i) });
      else {
        const owner = stages[scanner];
        const column = byDir[scanner];
        if (owner === undefined || column === undefined) continue;
        column[lowerBound(owner.dirAt, sequence, owner.dirs)] = number * 2 ** 27 + i + 1;
      }
    }
  });
  return {
    of(stage, sequence) {
      const owner = stages[stage];
      if (owner === undefined) return undefined;
      const code = byDir[stage]?.[lowerBound(owner.dirAt, sequence, owner.dirs)] ?? 0;
      const holder = Math.floor(code / 2 ** 27);
      const listing = stages[holder]?.listingAt((code % 2 ** 27) - 1);
      return code === 0 || listing === undefined ? undefined : { from: 'stage', stage: holder, listing };
    },
    ofEarlier: (folder) => byEarlier.get(folder),
    reread: Uint32Array.from(byEarlier.keys()).sort(),
  };
}

const NOTHING: Source = { from: 'nothing' };

/** Decides, folder by folder and in preorder, what the new tree is made of. */
export function planBuild(stages: readonly Stage[], earlier: Tree | undefined): BuildItem[] {
  const listings = indexListings(stages);
  const items: BuildItem[] = [];
  let folders = 0;
  const rootSource = listings.ofEarlier(0) ?? (earlier ? ({ from: 'earlier', folder: 0 } as const) : NOTHING);
  const stack: BuildItem[] = [
    { stage: -1, at: 0, source: rootSource, counterpart: earlier ? 0 : -1, parent: 0, whole: false },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    items.push(item);
    const number = folders;
    folders += item.whole && earlier ? (earlier.dirDirs[item.counterpart] ?? 0) + 1 : 1;
    if (item.whole) continue;
    const below = childItems(item, number);
    for (let i = below.length - 1; i >= 0; i--) {
      const child = below[i];
      if (child !== undefined) stack.push(child);
    }
  }
  return items;

  function childItems(item: BuildItem, number: number): BuildItem[] {
    const { source } = item;
    if (source.from === 'nothing') return [];
    if (source.from === 'earlier') {
      if (earlier === undefined) return [];
      return Array.from(subFolders(earlier, source.folder), (folder) => keep(earlier, folder, number));
    }
    const stage = stages[source.stage];
    if (stage === undefined) return [];
    const { first, files, dirs } = source.listing;
    const find = earlier && item.counterpart >= 0 ? dirFinder(earlier, item.counterpart, stage) : () => -1;
    return Array.from({ length: dirs }, (_, i) => {
      const at = first + files + i;
      const counterpart = find(at);
      const own = listings.of(source.stage, at);
      if (own === undefined && counterpart >= 0 && earlier) {
        const kept = keep(earlier, counterpart, number);
        return { ...kept, stage: source.stage, at, whole: false };
      }
      return { stage: source.stage, at, source: own ?? NOTHING, counterpart, parent: number, whole: false };
    });
  }

  /** A folder of the earlier tree, as one piece when nothing below it was read anew. */
  function keep(tree: Tree, folder: number, parent: number): BuildItem {
    const next = lowerBound(listings.reread, folder, listings.reread.length);
    const end = folder + (tree.dirDirs[folder] ?? 0);
    const whole = (listings.reread[next] ?? Number.POSITIVE_INFINITY) > end;
    const source = listings.ofEarlier(folder) ?? ({ from: 'earlier', folder } as const);
    return { stage: -1, at: tree.dirRow[folder] ?? 0, source, counterpart: folder, parent, whole };
  }
}

/** Finds sub-folders of an earlier folder by the names of staged ones; the usual order costs no look-up. */
function dirFinder(tree: Tree, folder: number, stage: Stage): (at: number) => number {
  const candidates = [...subFolders(tree, folder)];
  const rows = Uint32Array.from(candidates, (number) => tree.dirRow[number] ?? 0);
  const find = sameName(tree, rows, stage);
  return (at) => {
    const row = find(at);
    return row < 0 ? -1 : indexOfSorted(tree.dirRow, row);
  };
}
