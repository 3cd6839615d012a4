import { fail } from '../contract/errors.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { handleNumber } from './handles.ts';
import { totalSize } from './rows.ts';
import { pathOf } from './tree/nodes.ts';
import { rowsOfIds } from './tree/selection.ts';
import type { Tree } from './tree/tree.ts';

/** A named bag of nodes of one index. Node ids are kept in ascending order. */
export interface ResourceSet {
  readonly id: number;
  readonly name: string;
  readonly index: number;
  /** False: the result of a query that nobody named; only the latest of those stay. */
  readonly kept: boolean;
  readonly nodes: readonly number[];
  readonly updatedAt: number;
}

export interface GoneNode {
  readonly node: number;
  readonly path: string;
  readonly size: number;
  readonly goneAt: number;
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

  async create(name: string, index: number, nodes: Iterable<number>, kept: boolean): Promise<ResourceSet> {
    const at = this.#now();
    const { id } = await this.#db.run(
      'INSERT INTO disk_sets (name, index_id, kept, nodes, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      ...[name, index, kept ? 1 : 0, packed(nodes), at, at],
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

  async replace(set: ResourceSet, nodes: Iterable<number>): Promise<ResourceSet> {
    await this.#db.run(
      'UPDATE disk_sets SET nodes = ?, updated_at = ? WHERE id = ?',
      ...[packed(nodes), this.#now(), set.id],
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

  /** Remembers the last path of each node that a new generation no longer has. */
  async noteGone(index: number, old: Tree, tree: Tree): Promise<void> {
    const rows = await this.#db.all('SELECT * FROM disk_sets WHERE index_id = ?', index);
    for (const set of rows.map(toSet)) {
      const now = rowsOfIds(tree, set.nodes);
      const before = rowsOfIds(old, set.nodes);
      const gone = set.nodes.flatMap((node, i) => {
        const was = before[i] ?? -1;
        return (now[i] ?? -1) < 0 && was >= 0
          ? [[set.id, node, pathOf(old, was), totalSize(old, was), this.#now()]]
          : [];
      });
      await this.#db.batch(
        'INSERT INTO disk_set_gone (set_id, node, path, size, gone_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (set_id, node) DO NOTHING',
        gone.slice(0, MOST_GONE),
      );
    }
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
    updatedAt: Number(row.updated_at),
  };
}

/** Ids as four bytes each, ascending, each once. */
function packed(nodes: Iterable<number>): Uint8Array {
  const sorted = Uint32Array.from(new Set(nodes)).sort();
  return new Uint8Array(sorted.buffer);
}

function unpacked(value: SqlRow[string] | undefined): number[] {
  if (!(value instanceof Uint8Array)) return [];
  // A copy, since the bytes need not lie at a multiple of four.
  return [...new Uint32Array(value.slice().buffer, 0, value.length >> 2)];
}
