import { fail } from '../contract/errors.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { callSelectionList } from './calls.ts';
import { handleNumber } from './handles.ts';
import { totalSize } from './reports/node-rows.ts';
import { nodesAt, packedPaths, pathsOf, type SelectionPaths, unpackedPaths } from './selection-paths.ts';
import { rowsOfIds } from './tree/row-spans.ts';
import type { Tree } from './tree/tree-columns.ts';

/** A named selection of nodes of one index. Node ids are in ascending order. */
export interface Selection {
  readonly id: number;
  readonly name: string;
  readonly index: number;
  /** False for an unnamed result of a query; only the latest of those are kept. */
  readonly kept: boolean;
  readonly nodes: readonly number[];
  /** The last known path of each node. */
  readonly paths: () => SelectionPaths;
  readonly updatedAt: number;
}

export interface GoneNode {
  readonly node: number;
  readonly path: string;
  readonly size: number;
  readonly goneAt: number;
}

/** A generation that replaces another. */
export interface NewGeneration {
  /** The previous one, if it is in memory. */
  readonly old: Tree | undefined;
  readonly tree: Tree;
  /** True if the file of the previous one was lost, so that every node has a new id. */
  readonly rebuilt: boolean;
}

const MAX_UNNAMED = 20;
const MAX_GONE = 1_000;

/** The selections in the main database; they survive rescans and restarts. */
export class Selections {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Stores a selection of nodes of a tree. */
  async create(
    name: string,
    { index, tree }: { readonly index: number; readonly tree: Tree },
    nodes: Iterable<number>,
    kept: boolean,
  ): Promise<Selection> {
    const at = this.#now();
    const all = inOrder(nodes);
    const { id } = await this.#db.run(
      'INSERT INTO disk_sets (name, index_id, kept, nodes, paths, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[name, index, kept ? 1 : 0, packed(all), packedPaths(pathsOf(tree, all, new Map())), at, at],
    );
    if (!kept) await this.#deleteOldUnnamed();
    return this.#load(id);
  }

  /** The selection with this handle. */
  async get(handle: string): Promise<Selection> {
    const row = await this.#db.get('SELECT * FROM disk_sets WHERE id = ?', handleNumber('s', handle));
    return row
      ? toSelection(row)
      : fail('not_found', `No selection '${handle.slice(0, 20)}'.`, { next: callSelectionList({}) });
  }

  /** Newest first. */
  async list(before: number | undefined, limit: number): Promise<Selection[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_sets WHERE id < ? ORDER BY id DESC LIMIT ?',
      ...[before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows.map(toSelection);
  }

  async replace(selection: Selection, tree: Tree, nodes: Iterable<number>): Promise<Selection> {
    const all = inOrder(nodes);
    await this.#db.run(
      'UPDATE disk_sets SET nodes = ?, paths = ?, updated_at = ? WHERE id = ?',
      ...[packed(all), packedPaths(pathsOf(tree, all, selection.paths())), this.#now(), selection.id],
    );
    return this.#load(selection.id);
  }

  /** A selection with a name is kept. */
  async rename(selection: Selection, name: string): Promise<Selection> {
    const at = this.#now();
    await this.#db.run(
      'UPDATE disk_sets SET name = ?, kept = 1, updated_at = ? WHERE id = ?',
      name,
      at,
      selection.id,
    );
    return this.#load(selection.id);
  }

  async remove(handle: string): Promise<void> {
    const { id } = await this.get(handle);
    await this.#db.run('DELETE FROM disk_set_gone WHERE set_id = ?', id);
    await this.#db.run('DELETE FROM disk_sets WHERE id = ?', id);
  }

  /** Nodes of a selection that are no longer on the disk, as they were last seen. */
  async gone(selection: Selection, limit: number): Promise<GoneNode[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_set_gone WHERE set_id = ? ORDER BY gone_at DESC, node LIMIT ?',
      ...[selection.id, limit],
    );
    return rows.map((row) => ({
      node: Number(row.node),
      path: String(row.path),
      size: Number(row.size),
      goneAt: Number(row.gone_at),
    }));
  }

  /**
   * Moves the selections of an index to a new generation, and remembers the last path of each node that is gone. In
   * a rebuilt index the ids have changed, so nodes are found by their paths.
   */
  async follow(index: number, { old, tree, rebuilt }: NewGeneration): Promise<void> {
    const stored = await this.#db.all('SELECT * FROM disk_sets WHERE index_id = ?', index);
    for (const row of stored) {
      const known = toSelection(row);
      const selection = rebuilt ? await this.#withNewIds(known, tree) : known;
      const now = rowsOfIds(tree, selection.nodes);
      const before = old === undefined ? [] : rowsOfIds(old, selection.nodes);
      const paths = pathsOf(tree, selection.nodes, selection.paths());
      const gone = selection.nodes.flatMap((node, i) => {
        const was = before[i] ?? -1;
        const path = paths.get(node);
        if ((now[i] ?? -1) >= 0 || path === undefined) return [];
        const size = old === undefined || was < 0 ? 0 : totalSize(old, was);
        return [[selection.id, node, path, size, this.#now()]];
      });
      await this.#updatePaths(selection, paths);
      await this.#db.batch(
        'INSERT INTO disk_set_gone (set_id, node, path, size, gone_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (set_id, node) DO NOTHING',
        gone.slice(0, MAX_GONE),
      );
    }
  }

  async #withNewIds(selection: Selection, tree: Tree): Promise<Selection> {
    const nodes = inOrder(nodesAt(tree, selection.nodes, selection.paths()));
    await this.#db.run('UPDATE disk_sets SET nodes = ? WHERE id = ?', packed(nodes), selection.id);
    return { ...selection, nodes };
  }

  async #updatePaths({ id, paths }: Selection, now: SelectionPaths): Promise<void> {
    const before = paths();
    const same = now.size === before.size && [...now].every(([node, path]) => before.get(node) === path);
    if (!same) await this.#db.run('UPDATE disk_sets SET paths = ? WHERE id = ?', packedPaths(now), id);
  }

  async #load(id: number): Promise<Selection> {
    return toSelection((await this.#db.get('SELECT * FROM disk_sets WHERE id = ?', id)) ?? {});
  }

  async #deleteOldUnnamed(): Promise<void> {
    await this.#db.run(
      'DELETE FROM disk_sets WHERE kept = 0 AND id NOT IN (SELECT id FROM disk_sets WHERE kept = 0 ORDER BY id DESC LIMIT ?)',
      MAX_UNNAMED,
    );
  }
}

function toSelection(row: SqlRow): Selection {
  return {
    id: Number(row.id),
    name: String(row.name),
    index: Number(row.index_id),
    kept: Number(row.kept) === 1,
    nodes: unpacked(row.nodes),
    paths: () => unpackedPaths(row.paths),
    updatedAt: Number(row.updated_at),
  };
}

/** Ids in ascending order, each once. */
function inOrder(nodes: Iterable<number>): number[] {
  return [...Uint32Array.from(new Set(nodes)).sort()];
}

/** Ids as four bytes each. */
function packed(nodes: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(nodes).buffer);
}

function unpacked(value: SqlRow[string] | undefined): number[] {
  if (!(value instanceof Uint8Array)) return [];
  // A copy, because the bytes may not be aligned to four.
  return [...new Uint32Array(value.slice().buffer, 0, value.length >> 2)];
}
