import { at, float64At, uint8At, uint16At, uint32At } from '../../contract/at.ts';
import { nodeHandle } from '../handles.ts';
import { isDir } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { folderNumbers } from '../tree/folder-paths.ts';
import { childRows, diskOf, folderAt, lowerBound, nameOf } from '../tree/tree-nodes.ts';
import { type FilteredTotals, filteredTotals } from './filtered-totals.ts';
import { inPieces, type Scope } from './row-scope.ts';

/**
 * The part of a tree that a treemap can show, as columns: the children of a node are adjacent, largest first. What is
 * too small to be seen is one node without an id at the end of its folder.
 */
export interface TreemapCut {
  /** Extensions by number. */
  readonly extensions: readonly string[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Position of the containing folder; the first node contains itself. */
  readonly parents: readonly number[];
  readonly sizes: readonly number[];
  /** Number of the extension; -1 for a folder, -2 for the rest of a folder, -3 - n for one with most of extension n. */
  readonly kinds: readonly number[];
  /** Seconds since 1970; for a folder, the latest below it; for a rest, the number of nodes in it. */
  readonly times: readonly number[];
}

interface Columns {
  ids: string[];
  names: string[];
  parents: number[];
  sizes: number[];
  kinds: number[];
  times: number[];
  rows: number[];
  bytes: number;
}

const MAX_NODES = 9_000;
/** The share of the whole below which nothing is shown: this one, or twice as much, and so on. */
const FINEST_SHARE = 1 / 60_000;
const SHARE_STEPS = 17;
/** The size of a node in JSON, without its name. */
const NODE_BYTES = 42;

/** The rest of a folder that has more of extension n than of any other has the kind `MOSTLY - n`. */
const MOSTLY = -3;

function extensionOf(kind: number): number {
  return kind <= MOSTLY ? MOSTLY - kind : kind;
}

/** Keeps at most `maxBytes` of JSON and a few thousand nodes. */
export async function treemapCut(scope: Scope, maxBytes: number): Promise<TreemapCut> {
  const filtered = scope.test && (await filteredTotals(scope));
  const weigh = weights(scope, filtered);
  const total = weigh(scope.from);
  // Count first: building a cut that turns out too large is wasted work.
  for (let share = await leastShare(scope, filtered, weigh, total); ; share *= 2) {
    const columns = cutAt(scope, weigh, total * share, maxBytes);
    if (columns === undefined) continue;
    const { rows, bytes, ...shown } = columns;
    const extensions = [...new Set(shown.kinds.map(extensionOf).filter((extension) => extension >= 0))];
    const place = new Map(extensions.map((extension, i) => [extension, i]));
    const placed = (kind: number) => place.get(extensionOf(kind)) ?? 0;
    return {
      ...shown,
      extensions: extensions.map((extension) => at(scope.tree.meta.extensions, extension)),
      kinds: shown.kinds.map((kind) =>
        kind >= 0 ? placed(kind) : kind > MOSTLY ? kind : MOSTLY - placed(kind),
      ),
    };
  }
}

/** The finest share of the whole that leaves few enough nodes. */
async function leastShare(
  scope: Scope,
  filtered: FilteredTotals | undefined,
  weigh: (row: number) => number,
  total: number,
): Promise<number> {
  const { kind, dirRow } = scope.tree;
  const finest = total * FINEST_SHARE;
  const counts = new Uint32Array(SHARE_STEPS);
  const count = (size: number, nodes: number) => {
    if (size < finest || size <= 0) return;
    const step = Math.min(SHARE_STEPS - 1, Math.floor(Math.log2(size / finest)));
    counts[step] = uint32At(counts, step) + nodes;
  };
  // A folder can also add a node for its rest.
  if (filtered === undefined) {
    await inPieces(scope, (first, last) => {
      for (let row = first; row <= last; row++) count(weigh(row), isDir(kind[row] ?? 0) ? 2 : 1);
    });
  } else {
    for (const row of filtered.counted) count(diskOf(scope.tree, row), 1);
    const end = lowerBound(dirRow, scope.to + 1, dirRow.length);
    for (let folder = lowerBound(dirRow, scope.from, end); folder < end; folder++)
      count(float64At(filtered.disk, folder), 2);
  }
  let nodes = 0;
  for (let step = SHARE_STEPS - 1; step >= 0; step--) {
    nodes += uint32At(counts, step);
    if (nodes > MAX_NODES) return FINEST_SHARE * 2 ** (step + 1);
  }
  return FINEST_SHARE;
}

function cutAt(
  { tree, from }: Scope,
  weigh: (row: number) => number,
  least: number,
  maxBytes: number,
): Columns | undefined {
  const columns: Columns = {
    ids: [],
    names: [],
    parents: [],
    sizes: [],
    kinds: [],
    times: [],
    rows: [],
    bytes: 0,
  };
  const add = (row: number, parent: number, size: number) => {
    const name = nameOf(tree, row);
    const folder = folderAt(tree, row);
    columns.rows.push(row);
    columns.ids.push(nodeHandle(uint32At(tree.id, row)));
    columns.names.push(name);
    columns.parents.push(parent);
    columns.sizes.push(size);
    columns.kinds.push(folder >= 0 ? -1 : uint16At(tree.ext, row));
    columns.times.push(folder >= 0 ? uint32At(tree.dirNewest, folder) : uint32At(tree.mtime, row));
    columns.bytes += NODE_BYTES + Buffer.byteLength(name);
  };
  add(from, 0, weigh(from));
  for (let place = 0; place < columns.rows.length; place++) {
    const row = at(columns.rows, place);
    const folder = row < 0 ? -1 : folderAt(tree, row);
    if (folder < 0) continue;
    const shown: { row: number; size: number }[] = [];
    let rest = 0;
    let restCount = 0;
    const restSizes = new Map<number, number>();
    const small: number[] = [];
    for (const child of childRows(tree, folder)) {
      const size = weigh(child);
      if (size >= least && size > 0) shown.push({ row: child, size });
      else if (size > 0) {
        rest += size;
        restCount++;
        if (isDir(uint8At(tree.kind, child))) small.push(child);
        else addTo(restSizes, uint16At(tree.ext, child), size);
      }
    }
    shown.sort((a, b) => b.size - a.size || a.row - b.row);
    for (const child of shown) add(child.row, place, child.size);
    if (rest > 0) {
      columns.rows.push(-1);
      columns.ids.push('');
      columns.names.push('');
      columns.parents.push(place);
      columns.sizes.push(capped(rest));
      const main = largestOf(restSizes.size > 0 ? restSizes : filesBelow(tree, small, weigh));
      columns.kinds.push(main === undefined ? -2 : MOSTLY - main);
      columns.times.push(restCount);
      columns.bytes += NODE_BYTES;
    }
    if (columns.rows.length > MAX_NODES || columns.bytes > maxBytes) return undefined;
  }
  return columns;
}

function addTo(sizes: Map<number, number>, extension: number, size: number): void {
  sizes.set(extension, (sizes.get(extension) ?? 0) + size);
}

/** The extension that takes most. */
function largestOf(sizes: ReadonlyMap<number, number>): number | undefined {
  let best: readonly [extension: number | undefined, size: number] = [undefined, 0];
  for (const entry of sizes) if (entry[1] > best[1]) best = entry;
  return best[0];
}

/** The extensions of the files directly in some folders, where a folder has only folders. */
function filesBelow(
  tree: Scope['tree'],
  folders: readonly number[],
  weigh: (row: number) => number,
): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const row of folders)
    for (const child of childRows(tree, folderAt(tree, row)))
      if (!isDir(uint8At(tree.kind, child))) addTo(sizes, uint16At(tree.ext, child), weigh(child));
  return sizes;
}

/** Allocated bytes per node; with a filter, only what passes it counts, also in the totals of folders. */
function weights({ tree, test }: Scope, filtered: FilteredTotals | undefined): (row: number) => number {
  const folderOf = folderNumbers(tree);
  const { further, disk } = filtered ?? { further: undefined, disk: tree.dirDisk };
  return (row) => {
    const folder = folderOf(row);
    if (folder >= 0) return float64At(disk, folder);
    return test === undefined || (test(row) && !further?.has(row)) ? diskOf(tree, row) : 0;
  };
}
