import { gunzipSync, gzipSync } from 'node:zlib';
import { parseJson } from '../store/column-values.ts';
import type { SqlRow } from '../store/database.ts';
import { rowsOfIds } from './tree/row-spans.ts';
import type { Tree } from './tree/tree-columns.ts';
import { pathOf, rowOfPath } from './tree/tree-nodes.ts';

/*
 * The nodes of a selection are ids that mean something only in the file of their index. That file can be lost, but
 * what a person selected by hand must not be, so paths are stored with the ids. Larger selections come from a query,
 * which can find them again.
 */

const MAX_PATHS = 5_000;

export type SelectionPaths = ReadonlyMap<number, string>;

/** The current paths of nodes; for nodes that are gone, the paths known before. */
export function pathsOf(tree: Tree, nodes: readonly number[], before: SelectionPaths): SelectionPaths {
  if (nodes.length > MAX_PATHS) return new Map();
  const rows = rowsOfIds(tree, nodes);
  return new Map(
    nodes.flatMap((node, i) => {
      const row = rows[i] ?? -1;
      const path = row < 0 ? before.get(node) : pathOf(tree, row);
      return path === undefined ? [] : [[node, path] as const];
    }),
  );
}

/** The ids of a selection's nodes in a rebuilt index, found by path. Nodes that are not found keep their old id. */
export function nodesAt(tree: Tree, nodes: readonly number[], paths: SelectionPaths): number[] {
  return nodes.map((node) => {
    const row = rowOfPath(tree, paths.get(node) ?? '');
    return row < 0 ? node : (tree.id[row] ?? node);
  });
}

export function packedPaths(paths: SelectionPaths): Uint8Array {
  return gzipSync(JSON.stringify([...paths]), { level: 1 });
}

export function unpackedPaths(value: SqlRow[string] | undefined): SelectionPaths {
  if (!(value instanceof Uint8Array)) return new Map();
  try {
    return new Map(parseJson<[number, string][]>(gunzipSync(value).toString()) ?? []);
  } catch {
    return new Map();
  }
}
