import { FLAG, NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Chunk } from '../scan/scan-stage.ts';
import type { Tree } from './disk-tree.ts';
import type { Listings } from './listings.ts';
import { sameName } from './same-name.ts';
import { indexOfSorted, lowerBound, subFolders } from './tree-nodes.ts';

/** What a folder's entries come from when no listing of a scanner tells: nothing, or the earlier tree. */
const NOTHING = -1;
const fromEarlier = (folder: number) => -2 - folder;

/**
 * What the folders of the new tree are made of, in preorder: one item for each folder, or for a whole unchanged
 * part of the earlier tree. Columns, since there may be a hundred thousand.
 */
export class BuildPlan {
  count = 0;
  /** The chunk and the place in it of the folder's own row; chunk -1: a row of the earlier tree, or the root. */
  readonly rowChunk: Int32Array;
  readonly rowAt: Uint32Array;
  /** When the folder was changed last, as its row was read. */
  readonly time: Float64Array;
  /** A listing, or see {@link earlierSource}. */
  readonly source: Int32Array;
  /** The same folder in the earlier tree, or -1. */
  readonly counterpart: Int32Array;
  /** Number of the parent in the new tree. */
  readonly parent: Uint32Array;
  /** The listing of a folder at the depth limit, whose entries are summed and not kept; else -1. */
  readonly cut: Int32Array;
  /** 1: take the counterpart with everything below it as it is. */
  readonly whole: Uint8Array;

  constructor(most: number) {
    this.rowChunk = new Int32Array(most);
    this.rowAt = new Uint32Array(most);
    this.time = new Float64Array(most);
    this.source = new Int32Array(most);
    this.counterpart = new Int32Array(most);
    this.parent = new Uint32Array(most);
    this.cut = new Int32Array(most).fill(-1);
    this.whole = new Uint8Array(most);
  }

  /** The folder of the earlier tree that an item's entries come from, or -1. */
  earlierSource(item: number): number {
    const source = this.source[item] ?? NOTHING;
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
  const rootSource = reread >= 0 ? reread : earlier ? fromEarlier(0) : NOTHING;
  let folders = 0;
  const open: Open[] = [enter(plan.add(-1, 0, 0, rootSource, earlier ? 0 : -1, 0))];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const item = top.next();
    if (item < 0) open.pop();
    else if (plan.whole[item] === 1) folders += (earlier?.dirDirs[plan.counterpart[item] ?? 0] ?? 0) + 1;
    else open.push(enter(item));
  }
  return plan;

  function enter(item: number): Open {
    const folder = folders++;
    const source = plan.source[item] ?? NOTHING;
    const was = plan.earlierSource(item);
    if (was >= 0 && earlier) return { folder, next: keptFolders(earlier, was, folder) };
    if (source === NOTHING) return { folder, next: () => -1 };
    return { folder, next: readFolders(source, plan.counterpart[item] ?? -1, folder) };
  }

  /** Sub-folders of a folder that was not read again. */
  function keptFolders(tree: Tree, was: number, folder: number): () => number {
    const end = was + (tree.dirDirs[was] ?? 0);
    let at = was + 1;
    return () => {
      if (at > end) return -1;
      const item = keep(tree, at, folder);
      at += (tree.dirDirs[at] ?? 0) + 1;
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
      const time = chunk.view.ctime[times + i] ?? 0;
      const was = find?.(at) ?? -1;
      const own = listings.ofDir(firstDir + i);
      i++;
      const flags = chunk.view.kind[at] ?? 0;
      // Nothing below it is in the index, whatever an earlier scan with other options has kept.
      if ((flags & NOT_ENTERED) !== 0) {
        const item = plan.add(number, at, time, NOTHING, was, folder);
        if ((flags & FLAG.tooDeep) !== 0) plan.cut[item] = own;
        return item;
      }
      // Seen but not entered, because it is known and unchanged: what is below comes from the earlier tree.
      const source = own < 0 && was >= 0 ? sourceOf(was) : own < 0 ? NOTHING : own;
      return plan.add(number, at, time, source, was, folder);
    };
  }

  function sourceOf(folder: number): number {
    const listing = listings.ofEarlier(folder);
    return listing >= 0 ? listing : fromEarlier(folder);
  }

  /** A folder of the earlier tree, as one piece when nothing below it was read anew. */
  function keep(tree: Tree, was: number, folder: number): number {
    const item = plan.add(-1, tree.dirRow[was] ?? 0, tree.dirTime[was] ?? 0, sourceOf(was), was, folder);
    const next = lowerBound(listings.reread, was, listings.reread.length);
    const end = was + (tree.dirDirs[was] ?? 0);
    plan.whole[item] = (listings.reread[next] ?? Number.POSITIVE_INFINITY) > end ? 1 : 0;
    return item;
  }
}

/** Finds sub-folders of an earlier folder by the names of those that were read. */
function dirFinder(tree: Tree, folder: number, chunk: Chunk): (at: number) => number {
  const rows = Uint32Array.from(subFolders(tree, folder), (number) => tree.dirRow[number] ?? 0);
  const find = sameName(tree, rows, chunk);
  return (at) => {
    const row = find(at);
    return row < 0 ? -1 : indexOfSorted(tree.dirRow, row);
  };
}
