import { float64At, int32At, uint8At, uint32At } from '../../contract/at.ts';
import { FLAG, NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Chunk } from '../scan/scan-stage.ts';
import type { Listings } from './listings.ts';
import { sameName } from './same-name.ts';
import type { Tree } from './tree-columns.ts';
import { indexOfSorted, lowerBound, subFolders } from './tree-nodes.ts';

/** Where a folder's entries come from if not from a listing: nowhere, or the earlier tree. */
const NO_SOURCE = -1;
const fromEarlier = (folder: number) => -2 - folder;

/**
 * What the folders of the new tree are made of, in preorder: one item per folder, or one per unchanged part of the
 * earlier tree. Columns, because there can be hundreds of thousands.
 */
export class BuildPlan {
  count = 0;
  /** The chunk of the folder's own row and the position in it; chunk -1: a row of the earlier tree, or the root. */
  readonly rowChunk: Int32Array;
  readonly rowAt: Uint32Array;
  /** When the folder last changed, according to its row. */
  readonly time: Float64Array;
  /** The number of a listing; negative: see {@link earlierSource}. */
  readonly source: Int32Array;
  /** The same folder in the earlier tree, or -1. */
  readonly counterpart: Int32Array;
  /** Number of the containing folder in the new tree. */
  readonly parent: Uint32Array;
  /** The listing of a folder at the depth limit, whose entries are added up but not kept; otherwise -1. */
  readonly cut: Int32Array;
  /** 1: copy the counterpart with everything below it. */
  readonly whole: Uint8Array;

  constructor(maxItems: number) {
    this.rowChunk = new Int32Array(maxItems);
    this.rowAt = new Uint32Array(maxItems);
    this.time = new Float64Array(maxItems);
    this.source = new Int32Array(maxItems);
    this.counterpart = new Int32Array(maxItems);
    this.parent = new Uint32Array(maxItems);
    this.cut = new Int32Array(maxItems).fill(-1);
    this.whole = new Uint8Array(maxItems);
  }

  /** The folder of the earlier tree that an item's entries come from, or -1. */
  earlierSource(item: number): number {
    const source = int32At(this.source, item);
    return source <= fromEarlier(0) ? -2 - source : -1;
  }

  add(
    rowChunk: number,
    rowAt: number,
    time: number,
    source: number,
    counterpart: number,
    parent: number,
  ): number {
    const item = this.count++;
    this.rowChunk[item] = rowChunk;
    this.rowAt[item] = rowAt;
    this.time[item] = time;
    this.source[item] = source;
    this.counterpart[item] = counterpart;
    this.parent[item] = parent;
    return item;
  }
}

/** A folder whose sub-folders are being planned. */
interface Open {
  /** Its number in the new tree. */
  readonly folder: number;
  /** Plans the next sub-folder and returns its item, or -1 at the end. */
  readonly next: () => number;
}

/** Decides, folder by folder, what the new tree is made of. */
export function planBuild(listings: Listings, earlier: Tree | undefined): BuildPlan {
  const plan = new BuildPlan(listings.dirs + (earlier?.meta.dirs ?? 0) + 1);
  const reread = listings.ofEarlier(0);
  const rootSource = reread >= 0 ? reread : earlier ? fromEarlier(0) : NO_SOURCE;
  let folders = 0;
  const open: Open[] = [enter(plan.add(-1, 0, 0, rootSource, earlier ? 0 : -1, 0))];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const item = top.next();
    if (item < 0) open.pop();
    else if (plan.whole[item] === 1 && earlier)
      folders += uint32At(earlier.dirDirs, int32At(plan.counterpart, item)) + 1;
    else open.push(enter(item));
  }
  return plan;

  function enter(item: number): Open {
    const folder = folders++;
    const source = int32At(plan.source, item);
    const was = plan.earlierSource(item);
    if (was >= 0 && earlier) return { folder, next: keptFolders(earlier, was, folder) };
    if (source === NO_SOURCE) return { folder, next: () => -1 };
    return { folder, next: readFolders(source, int32At(plan.counterpart, item), folder) };
  }

  /** Sub-folders of a folder that was not read again. */
  function keptFolders(tree: Tree, was: number, folder: number): () => number {
    const end = was + uint32At(tree.dirDirs, was);
    let at = was + 1;
    return () => {
      if (at > end) return -1;
      const item = keep(tree, at, folder);
      at += uint32At(tree.dirDirs, at) + 1;
      return item;
    };
  }

  /** Sub-folders of a folder that was read. */
  function readFolders(listing: number, counterpart: number, folder: number): () => number {
    const { chunk, first, files, dirs, firstDir } = listings.get(listing);
    const number = listings.chunkNumber(listing);
    const find = earlier && counterpart >= 0 ? dirFinder(earlier, counterpart, chunk) : undefined;
    const times = firstDir - listings.dirBase(listing);
    let i = 0;
    return () => {
      if (i >= dirs) return -1;
      const at = first + files + i;
      const time = float64At(chunk.view.ctime, times + i);
      const was = find?.(at) ?? -1;
      const own = listings.ofDir(firstDir + i);
      i++;
      const flags = uint8At(chunk.view.kind, at);
      // Nothing below it belongs in the index, even if an earlier scan with other options kept it.
      if ((flags & NOT_ENTERED) !== 0) {
        const item = plan.add(number, at, time, NO_SOURCE, was, folder);
        if ((flags & FLAG.tooDeep) !== 0) plan.cut[item] = own;
        return item;
      }
      // Not entered, because it is known and unchanged: everything below comes from the earlier tree.
      const source = own < 0 && was >= 0 ? sourceOf(was) : own < 0 ? NO_SOURCE : own;
      return plan.add(number, at, time, source, was, folder);
    };
  }

  function sourceOf(folder: number): number {
    const listing = listings.ofEarlier(folder);
    return listing >= 0 ? listing : fromEarlier(folder);
  }

  /** A folder of the earlier tree, copied as a whole when nothing below it was read again. */
  function keep(tree: Tree, was: number, folder: number): number {
    const item = plan.add(
      -1,
      uint32At(tree.dirRow, was),
      float64At(tree.dirTime, was),
      sourceOf(was),
      was,
      folder,
    );
    const { reread } = listings;
    const next = lowerBound(reread, was, reread.length);
    const end = was + uint32At(tree.dirDirs, was);
    plan.whole[item] = next === reread.length || uint32At(reread, next) > end ? 1 : 0;
    return item;
  }
}

/** Finds sub-folders of an earlier folder by the names of the entries that were read. */
function dirFinder(tree: Tree, folder: number, chunk: Chunk): (at: number) => number {
  const rows = Uint32Array.from(subFolders(tree, folder), (number) => uint32At(tree.dirRow, number));
  const find = sameName(tree, rows, chunk);
  return (at) => {
    const row = find(at);
    return row < 0 ? -1 : indexOfSorted(tree.dirRow, row);
  };
}
