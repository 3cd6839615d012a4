import { fail } from '../contract/errors.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { handleNumber } from './handles.ts';
import { totalSize } from './reports/node-rows.ts';
import { nodesAt, packedPaths, pathsOf, type SetPaths, unpackedPaths } from './set-paths.ts';
import { rowsOfIds } from './tree/row-spans.ts';
import type { Tree } from './tree/tree-columns.ts';

/** A named bag of nodes of one index. Node ids are kept in ascending order. */
export interface ResourceSet {
  readonly id: number;
  readonly name: string;
  readonly index: number;
  /** False: the result of a query that nobody named; only the latest of those stay. */
  readonly kept: boolean;
  readonly nodes: readonly number[];
  /** Where the nodes were last seen. */
  readonly paths: () => SetPaths;
  readonly updatedAt: number;
}

export interface GoneNode {
  readonly node: number;
  readonly path: string;
  readonly size: number;
  readonly goneAt: number;
}

/** A generation that takes the place of another. */
export interface NewGeneration {
  /** The one before, where it is in memory. */
  readonly old: Tree | undefined;
  readonly tree: Tree;
  /** True: made without the one before, whose file was lost; all ids are new. */
  readonly anew: boolean;
}

const MOST_UNNAMED = 20;
const MOST_GONE = 1_000;

/** Sets in the main database; they outlive rescans and restarts. */
export class Sets {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Makes a set of nodes of a tree. */
  async create(
    name: string,
    { index, tree }: { readonly index: number; readonly tree: Tree },
    nodes: Iterable<number>,
    kept: boolean,
  ): Promise<ResourceSet> {
    const at = this.#now();
    const all = inOrder(nodes);
    const { id } = await this.#db.run(
      'INSERT INTO disk_sets (name, index_id, kept, nodes, paths, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[name, index, kept ? 1 : 0, packed(all), packedPaths(pathsOf(tree, all, new Map())), at, at],
    );
    if (!kept) await this.#forgetUnnamed();
    return this.#load(id);
  }

  /** The set with this handle. */
  async get(handle: string): Promise<ResourceSet> {
    const row = await this.#db.get('SELECT * FROM disk_sets WHERE id = ?', handleNumber('s', handle));
    return row
      ? toSet(row)
      : fail('not_found', `There is no set '${handle.slice(0, 20)}'; resource_set_list shows them.`);
  }

  /** Sets by number, newest first. */
  async list(before: number | undefined, limit: number): Promise<ResourceSet[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_sets WHERE id < ? ORDER BY id DESC LIMIT ?',
      ...[before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows.map(toSet);
  }

  async replace(set: ResourceSet, tree: Tree, nodes: Iterable<number>): Promise<ResourceSet> {
    const all = inOrder(nodes);
    await this.#db.run(
      'UPDATE disk_sets SET nodes = ?, paths = ?, updated_at = ? WHERE id = ?',
      ...[packed(all), packedPaths(pathsOf(tree, all, set.paths())), this.#now(), set.id],
    );
    return this.#load(set.id);
  }

  /** Naming a set also keeps it. */
  async rename(set: ResourceSet, name: string): Promise<ResourceSet> {
    const at = this.#now();
    await this.#db.run(
      'UPDATE disk_sets SET name = ?, kept = 1, updated_at = ? WHERE id = ?',
      name,
      at,
      set.id,
    );
    return this.#load(set.id);
  }

  async remove(handle: string): Promise<void> {
    const { id } = await this.get(handle);
    await this.#db.run('DELETE FROM disk_set_gone WHERE set_id = ?', id);
    await this.#db.run('DELETE FROM disk_sets WHERE id = ?', id);
  }

  /** Nodes of a set that are no longer on the disk, as they were last seen. */
  async gone(set: ResourceSet, limit: number): Promise<GoneNode[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_set_gone WHERE set_id = ? ORDER BY gone_at DESC, node LIMIT ?',
      ...[set.id, limit],
    );
    return rows.map((row) => ({
      node: Number(row.node),
      path: String(row.path),
      size: Number(row.size),
      goneAt: Number(row.gone_at),
    }));
  }

  /**
   * Takes the sets of an index over to a new generation, and remembers the last path of each node that is gone. One
   * that was made `anew` has other ids: its nodes are found by their paths.
   */
  async follow(index: number, { old, tree, anew }: NewGeneration): Promise<void> {
    const sets = await this.#db.all('SELECT * FROM disk_sets WHERE index_id = ?', index);
    for (const row of sets) {
      const stored = toSet(row);
      const set = anew ? await this.#replaced(stored, tree) : stored;
      const now = rowsOfIds(tree, set.nodes);
      const before = old === undefined ? [] : rowsOfIds(old, set.nodes);
      const paths = pathsOf(tree, set.nodes, set.paths());
      const gone = set.nodes.flatMap((node, i) => {
        const was = before[i] ?? -1;
        const path = paths.get(node);
        if ((now[i] ?? -1) >= 0 || path === undefined) return [];
        const size = old === undefined || was < 0 ? 0 : totalSize(old, was);
        return [[set.id, node, path, size, this.#now()]];
      });
      await this.#keepPaths(set, paths);
      await this.#db.batch(
        'INSERT INTO disk_set_gone (set_id, node, path, size, gone_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (set_id, node) DO NOTHING',
        gone.slice(0, MOST_GONE),
      );
    }
  }

  async #replaced(set: ResourceSet, tree: Tree): Promise<ResourceSet> {
    const nodes = inOrder(nodesAt(tree, set.nodes, set.paths()));
    await this.#db.run('UPDATE disk_sets SET nodes = ? WHERE id = ?', packed(nodes), set.id);
    return { ...set, nodes };
  }

  async #keepPaths({ id, paths }: ResourceSet, now: SetPaths): Promise<void> {
    const before = paths();
    const same = now.size === before.size && [...now].every(([node, path]) => before.get(node) === path);
    if (!same) await this.#db.run('UPDATE disk_sets SET paths = ? WHERE id = ?', packedPaths(now), id);
  }

  async #load(id: number): Promise<ResourceSet> {
    return toSet((await this.#db.get('SELECT * FROM disk_sets WHERE id = ?', id)) ?? {});
  }

  async #forgetUnnamed(): Promise<void> {
    await this.#db.run(
      'DELETE FROM disk_sets WHERE kept = 0 AND id NOT IN (SELECT id FROM disk_sets WHERE kept = 0 ORDER BY id DESC LIMIT ?)',
      MOST_UNNAMED,
    );
  }
}

function toSet(row: SqlRow): ResourceSet {
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
  // A copy, since the bytes need not lie at a multiple of four.
  return [...new Uint32Array(value.slice().buffer, 0, value.length >> 2)];
}
