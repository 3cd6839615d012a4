import { nodeHandle } from '../handles.ts';
import { isDir } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { folderNumbers } from '../tree/folder-paths.ts';
import { childRows, diskOf, folderAt, lowerBound, nameOf } from '../tree/tree-nodes.ts';
import { type FilteredTotals, filteredTotals } from './filtered-totals.ts';
import { inPieces, type Scope } from './report-scope.ts';

/**
 * The part of a tree that a picture can show, as columns: the children of a node lie together, the largest first.
 * What is too small to be seen is one node without an id at the end of its folder.
 */
export interface TreemapCut {
  /** Extensions by number. */
  readonly extensions: readonly string[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Place of the folder that holds it; the first node holds itself. */
  readonly parents: readonly number[];
  readonly sizes: readonly number[];
  /** Number of the extension; -1 for a folder, -2 for a rest. */
  readonly kinds: readonly number[];
  /** Seconds since 1970; of a folder the latest below it; of a rest how many nodes it stands for. */
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

const MOST_NODES = 9_000;
/** Shares of the whole below which nothing is shown: this one, twice as much, and so on. */
const FINEST = 1 / 60_000;
const STEPS = 17;
/** Bytes of JSON that a node takes besides its name. */
const NODE_BYTES = 42;

/** Cuts so that at most `maxBytes` of JSON and a few thousand nodes remain. */
export async function treemapCut(scope: Scope, maxBytes: number): Promise<TreemapCut> {
  const filtered = scope.test && (await filteredTotals(scope));
  const weigh = weights(scope, filtered);
  const total = weigh(scope.from);
  // Counted before anything is cut: a cut that turns out too large would be made for nothing.
  for (let share = await leastShare(scope, filtered, weigh, total); ; share *= 2) {
    const columns = cutAt(scope, weigh, total * share, maxBytes);
    if (columns === undefined) continue;
    const { rows, bytes, ...shown } = columns;
    const extensions = [...new Set(shown.kinds.filter((kind) => kind >= 0))];
    const place = new Map(extensions.map((extension, i) => [extension, i]));
    return {
      ...shown,
      extensions: extensions.map((extension) => scope.tree.meta.extensions[extension] ?? ''),
      kinds: shown.kinds.map((kind) => (kind < 0 ? kind : (place.get(kind) ?? 0))),
    };
  }
}

/** The finest share of the whole for which few enough nodes remain. */
async function leastShare(
  scope: Scope,
  filtered: FilteredTotals | undefined,
  weigh: (row: number) => number,
  total: number,
): Promise<number> {
  const { kind, dirRow } = scope.tree;
  const finest = total * FINEST;
  const counts = new Uint32Array(STEPS);
  const count = (size: number, nodes: number) => {
    if (size < finest || size <= 0) return;
    const step = Math.min(STEPS - 1, Math.floor(Math.log2(size / finest)));
    counts[step] = (counts[step] ?? 0) + nodes;
  };
  // A folder may have a rest beside it.
  if (filtered === undefined) {
    await inPieces(scope, (first, last) => {
      for (let row = first; row <= last; row++) count(weigh(row), isDir(kind[row] ?? 0) ? 2 : 1);
    });
  } else {
    for (const row of filtered.counted) count(diskOf(scope.tree, row), 1);
    const end = lowerBound(dirRow, scope.to + 1, dirRow.length);
    for (let folder = lowerBound(dirRow, scope.from, end); folder < end; folder++)
      count(filtered.disk[folder] ?? 0, 2);
  }
  let nodes = 0;
  for (let step = STEPS - 1; step >= 0; step--) {
    nodes += counts[step] ?? 0;
    if (nodes > MOST_NODES) return FINEST * 2 ** (step + 1);
  }
  return FINEST;
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
    columns.ids.push(nodeHandle(tree.id[row] ?? 0));
    columns.names.push(name);
    columns.parents.push(parent);
    columns.sizes.push(size);
    columns.kinds.push(folder >= 0 ? -1 : (tree.ext[row] ?? 0));
    columns.times.push(folder >= 0 ? (tree.dirNewest[folder] ?? 0) : (tree.mtime[row] ?? 0));
    columns.bytes += NODE_BYTES + Buffer.byteLength(name);
  };
  add(from, 0, weigh(from));
  for (let at = 0; at < columns.rows.length; at++) {
    const row = columns.rows[at] ?? -1;
    const folder = row < 0 ? -1 : folderAt(tree, row);
    if (folder < 0) continue;
    const shown: { row: number; size: number }[] = [];
    let rest = 0;
    let restCount = 0;
    for (const child of childRows(tree, folder)) {
      const size = weigh(child);
      if (size >= least && size > 0) shown.push({ row: child, size });
      else if (size > 0) {
        rest += size;
        restCount++;
      }
    }
    shown.sort((a, b) => b.size - a.size || a.row - b.row);
    for (const child of shown) add(child.row, at, child.size);
    if (rest > 0) {
      columns.rows.push(-1);
      columns.ids.push('');
      columns.names.push('');
      columns.parents.push(at);
      columns.sizes.push(capped(rest));
      columns.kinds.push(-2);
      columns.times.push(restCount);
      columns.bytes += NODE_BYTES;
    }
    if (columns.rows.length > MOST_NODES || columns.bytes > maxBytes) return undefined;
  }
  return columns;
}

/** What each node takes on the disk; with a filter only what passes it, folders the sum of that. */
function weights({ tree, test }: Scope, filtered: FilteredTotals | undefined): (row: number) => number {
  const folderOf = folderNumbers(tree);
  const { further, disk } = filtered ?? { further: undefined, disk: tree.dirDisk };
  return (row) => {
    const folder = folderOf(row);
    if (folder >= 0) return disk[folder] ?? 0;
    return test === undefined || (test(row) && !further?.has(row)) ? diskOf(tree, row) : 0;
  };
}
