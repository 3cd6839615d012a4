import { gunzipSync, gzipSync } from 'node:zlib';
import type { SqlRow } from '../store/database.ts';
import { parseJson } from '../store/json.ts';
import { rowsOfIds } from './tree/row-spans.ts';
import type { Tree } from './tree/tree-columns.ts';
import { pathOf, rowOfPath } from './tree/tree-nodes.ts';

/*
 * Nodes of a set are numbers that only the file of the index explains. That file can be lost, and what people chose
 * by hand must not be: so the paths are kept beside the numbers. A larger set comes from a query, which finds it again.
 */

const MOST_PATHS = 5_000;

export type SetPaths = ReadonlyMap<number, string>;

/** The paths of nodes now; of those that are gone, the paths that were known before. */
export function pathsOf(tree: Tree, nodes: readonly number[], before: SetPaths): SetPaths {
  if (nodes.length > MOST_PATHS) return new Map();
  const rows = rowsOfIds(tree, nodes);
  return new Map(
    nodes.flatMap((node, i) => {
      const row = rows[i] ?? -1;
      const path = row < 0 ? before.get(node) : pathOf(tree, row);
      return path === undefined ? [] : [[node, path] as const];
    }),
  );
}

/** The nodes at the paths of a set in an index that was made anew. What is not found there keeps its old number. */
export function nodesAt(tree: Tree, nodes: readonly number[], paths: SetPaths): number[] {
  return nodes.map((node) => {
    const row = rowOfPath(tree, paths.get(node) ?? '');
    return row < 0 ? node : (tree.id[row] ?? node);
  });
}

export function packedPaths(paths: SetPaths): Uint8Array {
  return gzipSync(JSON.stringify([...paths]), { level: 1 });
}

export function unpackedPaths(value: SqlRow[string] | undefined): SetPaths {
  if (!(value instanceof Uint8Array)) return new Map();
  try {
    return new Map(parseJson<[number, string][]>(gunzipSync(value).toString()) ?? []);
  } catch {
    return new Map();
  }
}
